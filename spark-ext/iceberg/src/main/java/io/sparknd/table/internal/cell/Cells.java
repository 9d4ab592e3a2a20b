/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.cell;

import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.DataType;
import org.jspecify.annotations.Nullable;

/** Cells of one column, by slot. A cell without a value is absent, which SQL reads as NULL. */
public abstract sealed class Cells permits ElementCells, ObjectCells {

  public abstract CellType type();

  /**
   * Makes room for cells below {@code count}; new cells are absent.
   *
   * @throws io.sparknd.table.internal.ArrayLimitException if they do not fit one array
   */
  public abstract void grow(int count);

  public abstract boolean isPresent(int slot);

  /** Makes a cell absent. */
  public abstract void clear(int slot);

  /**
   * Returns a cell as a value in Spark's internal form, which later changes of the cell do not
   * affect; null if it is absent.
   */
  public abstract @Nullable Object value(int slot);

  /** Sets a cell to a value in Spark's internal form, which is copied; null makes it absent. */
  public abstract void set(int slot, @Nullable Object value);

  /**
   * Sets a cell to the value in a column of a row; NULL makes it absent.
   *
   * @param from the column's type: that of the cells, or arrays for cells stored as binary
   * @return null, or the problem with the value
   */
  public abstract @Nullable String read(InternalRow row, int ordinal, DataType from, int slot);

  /**
   * Sets a cell to a fill value.
   *
   * @param value in Spark's internal form: a value of the type, or an element of a slice
   */
  public abstract void fill(int slot, Object value);

  /** Sets a cell to a cell of the same type; both may be of this object. */
  public abstract void copy(int slot, Cells from, int fromSlot);

  /**
   * Compares a present cell with a present cell of the same type.
   *
   * @throws IllegalStateException if cells of this type have no order
   */
  public abstract int compare(int slot, Cells other, int otherSlot);

  /** Returns why a cell orders no value; null if it does. NaN would be after all numbers. */
  final @Nullable String orderProblem(int slot) {
    if (!isPresent(slot)) {
      return "its order is NULL";
    }
    return isNaN(slot) ? "its order is NaN" : null;
  }

  /** Returns whether a present cell is NaN. */
  boolean isNaN(int slot) {
    return false;
  }

  /**
   * Returns whether a cell has the value of a cell of the same type, or both are absent: the same
   * bits, but any NaN is the same as another.
   */
  public final boolean isSame(int slot, Cells other, int otherSlot) {
    return isPresent(slot) && other.isPresent(otherSlot)
        ? isEqual(slot, other, otherSlot)
        : isPresent(slot) == other.isPresent(otherSlot);
  }

  /** Compares present cells, as {@link #isSame} does. */
  abstract boolean isEqual(int slot, Cells other, int otherSlot);
}
