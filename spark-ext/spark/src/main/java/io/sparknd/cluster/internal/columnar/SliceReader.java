/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.columnar;

import io.sparknd.tensor.DType;
import io.sparknd.tensor.HalfFloats;
import io.sparknd.tensor.Shape;
import java.io.Serializable;
import java.math.BigInteger;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.SpecializedGetters;
import org.apache.spark.sql.catalyst.expressions.UnsafeArrayData;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.unsafe.Platform;
import org.jspecify.annotations.Nullable;

/**
 * Reads slices from a column of internal rows into an array of the dtype's storage. An array column
 * of the dtype's own width is copied as memory.
 */
public final class SliceReader implements Serializable {
  private static final long serialVersionUID = 1;

  private final DType dtype;
  private final Shape slice;
  private final int levels;
  private final int element;

  /**
   * @param slice the shape of a slice
   * @param levels how deep the column nests arrays: the rank of the slice, or 1 for its elements in
   *     one array
   */
  public SliceReader(DType dtype, Shape slice, int levels) {
    this.dtype = dtype;
    this.slice = levels == slice.rank() ? slice : Shape.of(slice.elements());
    this.levels = levels;
    this.element = dtype.units();
  }

  /**
   * Reads the slice in column {@code ordinal} to units {@code [unit, unit + slice units)} of {@code
   * target}.
   *
   * @return null, or the problem with the value, part of which may have been written
   */
  public @Nullable String read(InternalRow row, int ordinal, Object target, int unit) {
    if (row.isNullAt(ordinal)) {
      return "is null";
    }
    return levels == 0
        ? readElement(row, ordinal, target, unit)
        : readArray(row.getArray(ordinal), 0, target, unit);
  }

  private @Nullable String readArray(ArrayData array, int level, Object target, int unit) {
    int length = array.numElements();
    if (length != slice.dim(level)) {
      return "has "
          + length
          + " values in dimension "
          + level
          + "; slice "
          + slice
          + " needs "
          + slice.dim(level);
    }
    if (level == levels - 1) {
      return readElements(array, length, target, unit);
    }
    int step = (int) slice.from(level + 1).elements() * element;
    for (int i = 0; i < length; i++) {
      String problem =
          array.isNullAt(i)
              ? "has a null array inside"
              : readArray(array.getArray(i), level + 1, target, unit + i * step);
      if (problem != null) {
        return problem;
      }
    }
    return null;
  }

  private @Nullable String readElements(ArrayData array, int length, Object target, int unit) {
    if (ArrayMemory.isPlain(dtype) && array instanceof UnsafeArrayData unsafe) {
      return copy(unsafe, length, target, unit);
    }
    for (int i = 0; i < length; i++) {
      String problem =
          array.isNullAt(i)
              ? "has a null inside"
              : readElement(array, i, target, unit + i * element);
      if (problem != null) {
        return problem;
      }
    }
    return null;
  }

  private @Nullable String copy(UnsafeArrayData array, int length, Object target, int unit) {
    Object base = array.getBaseObject();
    long offset = array.getBaseOffset();
    long header = UnsafeArrayData.calculateHeaderPortionInBytes((long) length);
    for (long at = Long.BYTES; at < header; at += Long.BYTES) {
      if (Platform.getLong(base, offset + at) != 0) {
        return "has a null inside";
      }
    }
    Platform.copyMemory(
        base,
        offset + header,
        target,
        ArrayMemory.byteOffset(dtype.storage(), unit),
        (long) length * dtype.bytes());
    return null;
  }

  private @Nullable String readElement(SpecializedGetters from, int i, Object target, int unit) {
    switch (dtype) {
      case BOOL -> ((byte[]) target)[unit] = (byte) (from.getBoolean(i) ? 1 : 0);
      case INT8 -> ((byte[]) target)[unit] = from.getByte(i);
      case INT16 -> ((short[]) target)[unit] = from.getShort(i);
      case INT32 -> ((int[]) target)[unit] = from.getInt(i);
      case INT64 -> ((long[]) target)[unit] = from.getLong(i);
      case FLOAT16 -> ((short[]) target)[unit] = HalfFloats.toFloat16(from.getFloat(i));
      case BFLOAT16 -> ((short[]) target)[unit] = HalfFloats.toBfloat16(from.getFloat(i));
      case FLOAT32 -> ((float[]) target)[unit] = from.getFloat(i);
      case FLOAT64 -> ((double[]) target)[unit] = from.getDouble(i);
      case STRING -> {
        String string = StringElements.of(from.getUTF8String(i));
        if (string == null) {
          return "has bytes that are not UTF-8";
        }
        ((String[]) target)[unit] = string;
      }
      case COMPLEX64, COMPLEX128 -> {
        return readComplex(from.getStruct(i, 2), target, unit);
      }
      case UINT8, UINT16, UINT32, UINT64 -> {
        return readUnsigned(from, i, target, unit);
      }
    }
    return null;
  }

  private static @Nullable String readComplex(InternalRow parts, Object target, int unit) {
    if (parts.isNullAt(0) || parts.isNullAt(1)) {
      return "has a null inside";
    }
    if (target instanceof float[] floats) {
      floats[unit] = parts.getFloat(0);
      floats[unit + 1] = parts.getFloat(1);
    } else {
      ((double[]) target)[unit] = parts.getDouble(0);
      ((double[]) target)[unit + 1] = parts.getDouble(1);
    }
    return null;
  }

  private @Nullable String readUnsigned(SpecializedGetters from, int i, Object target, int unit) {
    BigInteger value =
        switch (dtype) {
          case UINT8 -> BigInteger.valueOf(from.getShort(i));
          case UINT16 -> BigInteger.valueOf(from.getInt(i));
          case UINT32 -> BigInteger.valueOf(from.getLong(i));
          default -> from.getDecimal(i, 20, 0).toJavaBigDecimal().toBigInteger();
        };
    if (value.signum() < 0 || value.bitLength() > 8 * dtype.bytes()) {
      return "holds " + value + ", which is no " + dtype;
    }
    switch (dtype) {
      case UINT8 -> ((byte[]) target)[unit] = value.byteValue();
      case UINT16 -> ((short[]) target)[unit] = value.shortValue();
      case UINT32 -> ((int[]) target)[unit] = value.intValue();
      default -> ((long[]) target)[unit] = value.longValue();
    }
    return null;
  }
}
