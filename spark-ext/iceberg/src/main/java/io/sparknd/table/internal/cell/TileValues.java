/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.cell;

import io.sparknd.tensor.Storage;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
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
   * @param tiles number of tiles that the row has
   */
  static @Nullable TileValues of(CellType type, @Nullable Object stored, int tiles) {
    if (stored instanceof byte[] bytes && isPacked(type)) {
      return Packed.of((CellType.Elements) type, bytes, tiles);
    }
    return stored instanceof ArrayData array ? new Listed(type, array) : null;
  }

  /** Returns whether the values of {@code count} tiles fit one value of a column. */
  static boolean areStorable(CellType type, int count) {
    return !(type instanceof CellType.Elements elements)
        || !isPacked(type)
        || (long) elements.units() * elements.dtype().storage().bytes() * count
            <= Storage.MAX_LENGTH;
  }

  /** Puts the values of a row together, tile by tile. */
  sealed interface Builder {

    /** Appends tiles {@code from} to {@code to - 1} of stored values. */
    void append(TileValues stored, int from, int to);

    /** Appends a cell. */
    void append(Cells cells, int slot);

    TileValues build();
  }

  /** Returns a builder of the values of {@code count} tiles. */
  static Builder builder(CellType type, int count) {
    return isPacked(type)
        ? new PackedBuilder((CellType.Elements) type, count)
        : new ListedBuilder(type, count);
  }

  /** Copies bytes. */
  final class PackedBuilder implements Builder {
    private final Packed packed;
    private final UnitBytes units;
    private int end;

    PackedBuilder(CellType.Elements type, int count) {
      int bytes = Math.multiplyExact(count, Packed.bytes(type));
      this.packed = new Packed(type, new byte[bytes]);
      this.units = new UnitBytes(type.dtype().storage(), ByteBuffer.wrap(packed.bytes()));
    }

    @Override
    public void append(TileValues stored, int from, int to) {
      int each = Packed.bytes(packed.type());
      byte[] source = ((Packed) stored).bytes();
      System.arraycopy(source, from * each, packed.bytes(), end, (to - from) * each);
      end += (to - from) * each;
    }

    @Override
    public void append(Cells cells, int slot) {
      int count = packed.type().units();
      units.write(((ElementCells) cells).payload(), slot * count, count, end);
      end += Packed.bytes(packed.type());
    }

    @Override
    public TileValues build() {
      return packed;
    }
  }

  /** Copies objects. */
  final class ListedBuilder implements Builder {
    private final CellType type;
    private final @Nullable Object[] values;
    private int end;

    ListedBuilder(CellType type, int count) {
      this.type = type;
      this.values = new Object[count];
    }

    @Override
    public void append(TileValues stored, int from, int to) {
      for (int i = from; i < to; i++) {
        values[end++] = ((Listed) stored).array().get(i, type.sql());
      }
    }

    @Override
    public void append(Cells cells, int slot) {
      values[end++] = cells.value(slot);
    }

    @Override
    public TileValues build() {
      return new Listed(type, new GenericArrayData(values));
    }
  }

  /** Returns the column's value. */
  Object stored();

  /**
   * Elements one after the other.
   *
   * @param bytes row-major and little-endian
   */
  record Packed(CellType.Elements type, byte[] bytes) implements TileValues {
    /**
     * Returns stored bytes. Those of half as many bytes as the tiles have are from before another
     * engine changed the variable from int to bigint, or from float to double: they are widened.
     */
    static Packed of(CellType.Elements type, byte[] stored, int tiles) {
      DataType element = type.element();
      boolean isWide = element.equals(DataTypes.LongType) || element.equals(DataTypes.DoubleType);
      boolean isNarrower =
          isWide && !type.isBinary() && 2L * stored.length == (long) tiles * bytes(type);
      return new Packed(type, isNarrower ? widened(type, stored) : stored);
    }

    private static byte[] widened(CellType.Elements type, byte[] stored) {
      ByteBuffer from = ByteBuffer.wrap(stored).order(ByteOrder.LITTLE_ENDIAN);
      ByteBuffer wide = ByteBuffer.allocate(2 * stored.length).order(ByteOrder.LITTLE_ENDIAN);
      while (from.hasRemaining()) {
        if (type.element().equals(DataTypes.LongType)) {
          wide.putLong(from.getInt());
        } else {
          wide.putDouble(from.getFloat());
        }
      }
      return wide.array();
    }

    /** Returns the number of bytes of a tile. */
    static int bytes(CellType.Elements type) {
      return type.units() * type.dtype().storage().bytes();
    }

    @Override
    public int count() {
      int each = bytes(type);
      return bytes.length % each == 0 ? bytes.length / each : -1;
    }

    @Override
    public void read(int from, int to, Cells cells, int slot) {
      ElementCells elements = (ElementCells) cells;
      int units = type.units();
      new UnitBytes(type.dtype().storage(), ByteBuffer.wrap(bytes))
          .read(from * bytes(type), elements.payload(), slot * units, (to - from) * units);
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
