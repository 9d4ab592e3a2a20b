/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.cell;

import io.sparknd.table.internal.ArrayLimitException;
import io.sparknd.tensor.Storage;
import java.util.Arrays;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.catalyst.util.MapData;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.unsafe.types.UTF8String;
import org.jspecify.annotations.Nullable;

/** Cells that are objects in Spark's internal form; null for absent cells. */
public final class ObjectCells extends Cells {
  private final CellType.Objects type;
  private @Nullable Object[] values;

  ObjectCells(CellType.Objects type, int count) {
    this.type = type;
    this.values = new Object[count];
  }

  @Override
  public CellType.Objects type() {
    return type;
  }

  @Override
  public void grow(int count) {
    if (count > values.length) {
      ArrayLimitException.requireAtMost(type.text() + " values", count, Storage.MAX_LENGTH);
      long wanted = Math.max(count, 2L * values.length);
      values = Arrays.copyOf(values, (int) Math.min(Storage.MAX_LENGTH, wanted));
    }
  }

  @Override
  public boolean isPresent(int slot) {
    return values[slot] != null;
  }

  @Override
  public void clear(int slot) {
    values[slot] = null;
  }

  @Override
  public @Nullable Object value(int slot) {
    return values[slot];
  }

  @Override
  public void set(int slot, @Nullable Object value) {
    values[slot] = copy(value);
  }

  @Override
  public @Nullable String read(InternalRow row, int ordinal, DataType from, int slot) {
    values[slot] = row.isNullAt(ordinal) ? null : copy(row.get(ordinal, type.sql()));
    return null;
  }

  @Override
  public void fill(int slot, Object value) {
    values[slot] = value;
  }

  /** Copies a value that may lie in memory which its row reuses. */
  private static @Nullable Object copy(@Nullable Object value) {
    if (value instanceof UTF8String text) {
      return text.copy();
    }
    if (value instanceof ArrayData array) {
      return array.copy();
    }
    if (value instanceof InternalRow row) {
      return row.copy();
    }
    return value instanceof MapData map ? map.copy() : value;
  }

  @Override
  public void copy(int slot, Cells from, int fromSlot) {
    values[slot] = ((ObjectCells) from).values[fromSlot];
  }

  @Override
  public int compare(int slot, Cells other, int otherSlot) {
    Object one = values[slot];
    Object two = ((ObjectCells) other).values[otherSlot];
    if (one instanceof UTF8String text) {
      return text.binaryCompare((UTF8String) two);
    }
    if (one instanceof Decimal decimal) {
      return decimal.compare((Decimal) two);
    }
    if (one instanceof byte[] bytes) {
      return Arrays.compareUnsigned(bytes, (byte[]) two);
    }
    throw new IllegalStateException("values of " + type.sql().simpleString() + " have no order");
  }

  @Override
  boolean isEqual(int slot, Cells other, int otherSlot) {
    return ObjectEquality.areEqual(
        type.sql(), values[slot], ((ObjectCells) other).values[otherSlot]);
  }
}
