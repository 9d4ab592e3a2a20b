/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.columnar;

import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import java.io.Serializable;
import java.util.Optional;
import org.apache.spark.sql.execution.vectorized.WritableColumnVector;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.vectorized.ColumnVector;

/** Reads the slices in many rows of a column as one copy. */
public final class SliceColumns implements Serializable {
  private static final long serialVersionUID = 1;

  private final DType dtype;
  private final Shape slice;
  private final int levels;

  /**
   * @param slice the shape of a slice
   * @param levels how deep the column nests arrays: the rank of the slice, or 1 for its elements in
   *     one array
   */
  public SliceColumns(DType dtype, Shape slice, int levels) {
    this.dtype = dtype;
    this.slice = levels == slice.rank() ? slice : Shape.of(slice.elements());
    this.levels = levels;
  }

  public DType dtype() {
    return dtype;
  }

  /** Returns the shape of the arrays in the column. */
  public Shape slice() {
    return slice;
  }

  /**
   * Returns the slices in rows {@code [from, from + count)}, back to back in an array of the
   * dtype's storage that the caller may retain.
   *
   * @return empty if they must be read row by row: there are nulls, an array has another length, or
   *     the column stores elements in another form than the dtype
   */
  public Optional<Object> read(ColumnVector column, int from, int count) {
    if (!ArrayMemory.isPlain(dtype)) {
      return Optional.empty();
    }
    if (column instanceof SliceVector slices) {
      return Optional.of(read(slices, from, count));
    }
    ColumnVector values = column;
    int first = from;
    int length = count;
    for (int level = 0; level < levels; level++) {
      if (!(values instanceof WritableColumnVector arrays)
          || !areEven(arrays, first, length, slice.dim(level))) {
        return Optional.empty();
      }
      first = length == 0 ? 0 : arrays.getArrayOffset(first);
      length *= (int) slice.dim(level);
      values = arrays.getChild(0);
    }
    return values.hasNull() ? Optional.empty() : Optional.of(elements(values, first, length));
  }

  private Object read(SliceVector slices, int from, int count) {
    int units = (int) slice.elements();
    return count == slices.rows()
        ? slices.units()
        : dtype.storage().copyOfRange(slices.units(), from * units, (from + count) * units);
  }

  /**
   * Returns whether {@code count} arrays from {@code first} on have {@code dim} values, back to
   * back.
   */
  private static boolean areEven(WritableColumnVector arrays, int first, int count, long dim) {
    if (arrays.hasNull()) {
      return false;
    }
    long next = count == 0 ? 0 : arrays.getArrayOffset(first);
    for (int i = first; i < first + count; i++) {
      if (arrays.getArrayLength(i) != dim || arrays.getArrayOffset(i) != next) {
        return false;
      }
      next += dim;
    }
    return true;
  }

  private Object elements(ColumnVector values, int first, int length) {
    return switch (dtype) {
      case BOOL -> bits(values.getBooleans(first, length));
      case INT8 -> values.getBytes(first, length);
      case INT16 -> values.getShorts(first, length);
      case INT32 -> values.getInts(first, length);
      case INT64 -> values.getLongs(first, length);
      case FLOAT32 -> values.getFloats(first, length);
      case FLOAT64 -> values.getDoubles(first, length);
      default -> throw new AssertionError(dtype);
    };
  }

  private static byte[] bits(boolean[] values) {
    byte[] bits = new byte[values.length];
    for (int i = 0; i < bits.length; i++) {
      bits[i] = (byte) (values[i] ? 1 : 0);
    }
    return bits;
  }

  /** Returns rows {@code [from, from + count)} of an integer column; empty if it has nulls. */
  public static Optional<long[]> integers(ColumnVector column, int from, int count) {
    if (column.hasNull()) {
      return Optional.empty();
    }
    DataType type = column.dataType();
    if (type.equals(DataTypes.LongType)) {
      return Optional.of(column.getLongs(from, count));
    }
    long[] values = new long[count];
    if (type.equals(DataTypes.IntegerType)) {
      for (int i = 0; i < count; i++) {
        values[i] = column.getInt(from + i);
      }
    } else if (type.equals(DataTypes.ShortType)) {
      for (int i = 0; i < count; i++) {
        values[i] = column.getShort(from + i);
      }
    } else {
      for (int i = 0; i < count; i++) {
        values[i] = column.getByte(from + i);
      }
    }
    return Optional.of(values);
  }
}
