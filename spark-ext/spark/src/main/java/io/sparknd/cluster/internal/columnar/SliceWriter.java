/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.columnar;

import io.sparknd.tensor.DType;
import io.sparknd.tensor.HalfFloats;
import io.sparknd.tensor.Shape;
import java.io.Serializable;
import java.math.BigDecimal;
import java.math.BigInteger;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeArrayData;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.catalyst.util.GenericArrayData;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.unsafe.Platform;

/**
 * Converts slices to values of Spark's internal rows: a scalar, or arrays nested as deep as the
 * slice.
 */
public final class SliceWriter implements Serializable {
  private static final long serialVersionUID = 1;

  private final DType dtype;
  private final Shape slice;

  public SliceWriter(DType dtype, Shape slice) {
    this.dtype = dtype;
    this.slice = slice;
  }

  /** Returns a copy of the slice that begins at {@code unit} of {@code array}. */
  public Object value(Object array, int unit) {
    return slice.rank() == 0 ? element(array, unit) : array(array, unit, 0);
  }

  /** Sets column {@code ordinal} of {@code row} to {@link #value}, without boxing plain scalars. */
  void write(Object array, int unit, InternalRow row, int ordinal) {
    if (slice.rank() > 0) {
      row.update(ordinal, array(array, unit, 0));
      return;
    }
    switch (dtype) {
      case BOOL -> row.setBoolean(ordinal, ((byte[]) array)[unit] != 0);
      case INT8 -> row.setByte(ordinal, ((byte[]) array)[unit]);
      case INT16 -> row.setShort(ordinal, ((short[]) array)[unit]);
      case INT32 -> row.setInt(ordinal, ((int[]) array)[unit]);
      case INT64 -> row.setLong(ordinal, ((long[]) array)[unit]);
      case FLOAT32 -> row.setFloat(ordinal, ((float[]) array)[unit]);
      case FLOAT64 -> row.setDouble(ordinal, ((double[]) array)[unit]);
      default -> row.update(ordinal, element(array, unit));
    }
  }

  private ArrayData array(Object array, int unit, int level) {
    int length = (int) slice.dim(level);
    if (level == slice.rank() - 1) {
      return elements(array, unit, length);
    }
    int step = (int) slice.from(level + 1).elements() * dtype.units();
    Object[] inner = new Object[length];
    for (int i = 0; i < length; i++) {
      inner[i] = array(array, unit + i * step, level + 1);
    }
    return new GenericArrayData(inner);
  }

  private ArrayData elements(Object array, int unit, int length) {
    // a wrapped bool array may hold bytes other than 0 and 1
    if (ArrayMemory.isPlain(dtype) && dtype != DType.BOOL) {
      return copy(array, unit, length);
    }
    Object[] values = new Object[length];
    for (int i = 0; i < length; i++) {
      values[i] = element(array, unit + i * dtype.units());
    }
    return new GenericArrayData(values);
  }

  private ArrayData copy(Object array, int unit, int length) {
    UnsafeArrayData copy = UnsafeArrayData.createFreshArray(length, dtype.bytes());
    long header = UnsafeArrayData.calculateHeaderPortionInBytes((long) length);
    Platform.copyMemory(
        array,
        ArrayMemory.byteOffset(dtype.storage(), unit),
        copy.getBaseObject(),
        copy.getBaseOffset() + header,
        (long) length * dtype.bytes());
    return copy;
  }

  private Object element(Object array, int unit) {
    return switch (dtype) {
      case BOOL -> ((byte[]) array)[unit] != 0;
      case INT8 -> ((byte[]) array)[unit];
      case UINT8 -> (short) Byte.toUnsignedInt(((byte[]) array)[unit]);
      case INT16 -> ((short[]) array)[unit];
      case UINT16 -> Short.toUnsignedInt(((short[]) array)[unit]);
      case INT32 -> ((int[]) array)[unit];
      case UINT32 -> Integer.toUnsignedLong(((int[]) array)[unit]);
      case INT64 -> ((long[]) array)[unit];
      case UINT64 -> unsigned(((long[]) array)[unit]);
      case FLOAT16 -> HalfFloats.fromFloat16(((short[]) array)[unit]);
      case BFLOAT16 -> HalfFloats.fromBfloat16(((short[]) array)[unit]);
      case FLOAT32 -> ((float[]) array)[unit];
      case FLOAT64 -> ((double[]) array)[unit];
      case COMPLEX64 -> InternalRows.row(((float[]) array)[unit], ((float[]) array)[unit + 1]);
      case COMPLEX128 -> InternalRows.row(((double[]) array)[unit], ((double[]) array)[unit + 1]);
      case STRING -> StringElements.stored(((String[]) array)[unit]);
    };
  }

  private static Decimal unsigned(long bits) {
    BigInteger value = new BigInteger(Long.toUnsignedString(bits));
    return Decimal.apply(new BigDecimal(value), 20, 0);
  }
}
