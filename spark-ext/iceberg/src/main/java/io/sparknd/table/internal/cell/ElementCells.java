/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.cell;

import io.sparknd.cluster.internal.columnar.InternalRows;
import io.sparknd.cluster.internal.columnar.SliceReader;
import io.sparknd.cluster.internal.columnar.SliceWriter;
import io.sparknd.table.internal.ArrayLimitException;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.Storage;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.BitSet;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.util.GenericArrayData;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.jspecify.annotations.Nullable;

/** Cells that are slices of one shape, one after the other in a primitive array. */
public final class ElementCells extends Cells {
  private final CellType.Elements type;
  private final Storage storage;
  private final int units;
  private final SliceWriter writer;
  private final SliceReader nested;
  private final SliceReader flat;
  private final BitSet present = new BitSet();
  private Object payload;
  private int capacity;

  ElementCells(CellType.Elements type, int count) {
    this.type = type;
    this.storage = type.dtype().storage();
    this.units = type.units();
    this.writer = new SliceWriter(type.dtype(), type.shape());
    this.nested = new SliceReader(type.dtype(), type.shape(), type.shape().rank());
    this.flat = new SliceReader(type.dtype(), Shape.of(type.shape().elements()), 1);
    requireRoom(count);
    this.capacity = count;
    this.payload = storage.allocate(count * units);
  }

  @Override
  public CellType.Elements type() {
    return type;
  }

  /** Returns the array of the elements; cell {@code i} begins at unit {@code i * units}. */
  public Object payload() {
    return payload;
  }

  /** Marks a cell as present whose elements were written to {@link #payload}. */
  public void mark(int slot) {
    present.set(slot);
  }

  /** Returns whether the first cells are all present. */
  boolean arePresent(int count) {
    return present.nextClearBit(0) >= count;
  }

  /** Marks cells {@code from} to {@code to - 1}, as {@link #mark(int)} does. */
  void mark(int from, int to) {
    present.set(from, to);
  }

  @Override
  public void grow(int count) {
    if (count > capacity) {
      requireRoom(count);
      int wanted = (int) Math.min(most(), Math.max(count, 2L * capacity));
      Object larger = storage.allocate(wanted * units);
      System.arraycopy(payload, 0, larger, 0, capacity * units);
      payload = larger;
      capacity = wanted;
    }
  }

  private void requireRoom(int count) {
    ArrayLimitException.requireAtMost(type.text() + " values", count, most());
  }

  /** Returns the number of cells that fit one array. */
  private int most() {
    return Storage.MAX_LENGTH / Math.max(1, units);
  }

  @Override
  public boolean isPresent(int slot) {
    return present.get(slot);
  }

  @Override
  public void clear(int slot) {
    present.clear(slot);
  }

  @Override
  public @Nullable Object value(int slot) {
    if (!present.get(slot)) {
      return null;
    }
    return type.isBinary() ? bytes(slot) : writer.value(payload, slot * units);
  }

  /** Returns a cell as row-major little-endian elements. */
  public byte[] bytes(int slot) {
    ByteBuffer bytes = ByteBuffer.allocate(units * storage.bytes());
    new UnitBytes(storage, bytes).write(payload, slot * units, units, 0);
    return bytes.array();
  }

  @Override
  public void set(int slot, @Nullable Object value) {
    if (value == null) {
      present.clear(slot);
      return;
    }
    String problem = read(InternalRows.row(value), 0, type.sql(), slot);
    if (problem != null) {
      throw new IllegalArgumentException("the value " + problem);
    }
  }

  @Override
  public void fill(int slot, Object value) {
    Object[] elements = new Object[(int) type.shape().elements()];
    Arrays.fill(elements, value);
    String problem =
        flat.read(InternalRows.row(new GenericArrayData(elements)), 0, payload, slot * units);
    if (problem != null) {
      throw new IllegalArgumentException("the fill value " + problem);
    }
    present.set(slot);
  }

  @Override
  public @Nullable String read(InternalRow row, int ordinal, DataType from, int slot) {
    if (row.isNullAt(ordinal)) {
      present.clear(slot);
      return null;
    }
    String problem =
        from.equals(DataTypes.BinaryType)
            ? readBytes(row.getBinary(ordinal), slot)
            : reader(from).read(row, ordinal, payload, slot * units);
    present.set(slot, problem == null);
    return problem;
  }

  private SliceReader reader(DataType from) {
    boolean isFlat = from instanceof ArrayType array && !(array.elementType() instanceof ArrayType);
    return isFlat && type.shape().rank() > 1 ? flat : nested;
  }

  private @Nullable String readBytes(byte[] bytes, int slot) {
    if (bytes.length != units * storage.bytes()) {
      return "has "
          + bytes.length
          + " bytes; "
          + type.dtype()
          + " elements of shape "
          + type.shape()
          + " have "
          + (long) units * storage.bytes();
    }
    new UnitBytes(storage, ByteBuffer.wrap(bytes)).read(0, payload, slot * units, units);
    return null;
  }

  @Override
  public void copy(int slot, Cells from, int fromSlot) {
    ElementCells other = (ElementCells) from;
    present.set(slot, other.present.get(fromSlot));
    System.arraycopy(other.payload, fromSlot * units, payload, slot * units, units);
  }

  @Override
  public int compare(int slot, Cells other, int otherSlot) {
    Object array = ((ElementCells) other).payload;
    if (units == 1 && payload instanceof long[] longs) {
      return Long.compare(longs[slot], ((long[]) array)[otherSlot]);
    }
    if (units == 1 && payload instanceof int[] ints) {
      return Integer.compare(ints[slot], ((int[]) array)[otherSlot]);
    }
    if (units == 1 && payload instanceof float[] floats) {
      return Float.compare(floats[slot], ((float[]) array)[otherSlot]);
    }
    if (units == 1 && payload instanceof double[] doubles) {
      return Double.compare(doubles[slot], ((double[]) array)[otherSlot]);
    }
    throw new IllegalStateException(type + " has no order");
  }

  @Override
  boolean isNaN(int slot) {
    return units == 1
        && (payload instanceof double[] doubles && Double.isNaN(doubles[slot])
            || payload instanceof float[] floats && Float.isNaN(floats[slot]));
  }

  @Override
  boolean isEqual(int slot, Cells other, int otherSlot) {
    Object array = ((ElementCells) other).payload;
    int from = slot * units;
    int of = otherSlot * units;
    if (payload instanceof float[] floats) {
      return Arrays.equals(floats, from, from + units, (float[]) array, of, of + units);
    }
    if (payload instanceof double[] doubles) {
      return Arrays.equals(doubles, from, from + units, (double[]) array, of, of + units);
    }
    if (payload instanceof long[] longs) {
      return Arrays.equals(longs, from, from + units, (long[]) array, of, of + units);
    }
    if (payload instanceof int[] ints) {
      return Arrays.equals(ints, from, from + units, (int[]) array, of, of + units);
    }
    if (payload instanceof short[] shorts) {
      return Arrays.equals(shorts, from, from + units, (short[]) array, of, of + units);
    }
    if (payload instanceof byte[] bytes) {
      return Arrays.equals(bytes, from, from + units, (byte[]) array, of, of + units);
    }
    return Arrays.equals((Object[]) payload, from, from + units, (Object[]) array, of, of + units);
  }
}
