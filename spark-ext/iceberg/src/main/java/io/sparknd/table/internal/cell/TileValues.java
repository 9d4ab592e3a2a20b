/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.cell;

import io.sparknd.tensor.Storage;
import java.nio.ByteBuffer;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.catalyst.util.GenericArrayData;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.jspecify.annotations.Nullable;

/**
 * A partial result of each tile of a row: the elements of all tiles as little-endian bytes, or if
 * they have no fixed size, an array.
 */
sealed interface TileValues {

  /** Returns the number of tiles; -1 if the values are not whole. */
  int count();

  /** Reads tiles {@code from} to {@code to - 1} to cells from a slot on. */
  void read(int from, int to, Cells cells, int slot);

  private static boolean isPacked(CellType type) {
    return type instanceof CellType.Elements elements
        && elements.dtype().storage() != Storage.STRING;
  }

  /** Returns the type of the column. */
  static DataType column(CellType type) {
    return isPacked(type) ? DataTypes.BinaryType : new ArrayType(type.sql(), false);
  }

  /**
   * Returns the values in a column.
   *
   * @param type type of each
   * @param stored the column's value in Spark's internal form; null for NULL
   */
  static @Nullable TileValues of(CellType type, @Nullable Object stored) {
    if (stored instanceof byte[] bytes && isPacked(type)) {
      return new Packed((CellType.Elements) type, bytes);
    }
    return stored instanceof ArrayData array ? new Listed(type, array) : null;
  }

  /** Returns the values of the first cells, in order. */
  static TileValues of(Cells cells, int count) {
    if (cells instanceof ElementCells elements && isPacked(cells.type())) {
      int units = elements.type().units();
      byte[] bytes = new byte[count * units * elements.type().dtype().storage().bytes()];
      new UnitBytes(elements.type().dtype().storage(), ByteBuffer.wrap(bytes))
          .write(elements.payload(), 0, count * units, 0);
      return new Packed(elements.type(), bytes);
    }
    Object[] values = new Object[count];
    for (int i = 0; i < count; i++) {
      values[i] = cells.value(i);
    }
    return new Listed(cells.type(), new GenericArrayData(values));
  }

  /** Returns the column's value. */
  Object stored();

  /**
   * Elements one after the other.
   *
   * @param bytes row-major and little-endian
   */
  record Packed(CellType.Elements type, byte[] bytes) implements TileValues {
    @Override
    public int count() {
      int each = type.units() * type.dtype().storage().bytes();
      return bytes.length % each == 0 ? bytes.length / each : -1;
    }

    @Override
    public void read(int from, int to, Cells cells, int slot) {
      ElementCells elements = (ElementCells) cells;
      int units = type.units();
      new UnitBytes(type.dtype().storage(), ByteBuffer.wrap(bytes))
          .read(
              from * units * type.dtype().storage().bytes(),
              elements.payload(),
              slot * units,
              (to - from) * units);
      elements.mark(slot, slot + to - from);
    }

    @Override
    public Object stored() {
      return bytes;
    }
  }

  /** Values in an array, none of them NULL. */
  record Listed(CellType type, ArrayData array) implements TileValues {
    @Override
    public int count() {
      for (int i = 0; i < array.numElements(); i++) {
        if (array.isNullAt(i)) {
          return -1;
        }
      }
      return array.numElements();
    }

    @Override
    public void read(int from, int to, Cells cells, int slot) {
      for (int i = from; i < to; i++) {
        cells.set(slot + i - from, array.get(i, type.sql()));
      }
    }

    @Override
    public Object stored() {
      return array;
    }
  }
}
