/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.block;

import io.sparknd.table.internal.cell.UnitBytes;
import io.sparknd.table.internal.file.RowFormat;
import io.sparknd.table.internal.file.ValueColumns;
import io.sparknd.tensor.Complex;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.Tensor;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.util.GenericArrayData;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * Converts slices to values of a table's columns, in Spark's internal form. Element by element, so
 * slower than {@link io.sparknd.table.internal.file.RowFileWriter}.
 *
 * @param elements all elements of all slots
 */
record SparkSlices(RowFormat format, Tensor elements) {
  private static final int UINT64_DIGITS = 20;

  /**
   * @param payload an array of {@code format.dtype().storage()}, whose length is a whole number of
   *     rows
   */
  static SparkSlices of(RowFormat format, Object payload) {
    long count = format.dtype().storage().length(payload) / format.dtype().units();
    return new SparkSlices(format, Tensor.wrap(format.dtype(), Shape.of(count), payload));
  }

  /**
   * Returns the value of a column.
   *
   * @param column ordinal among the value columns
   */
  Object value(int column, int slot) {
    int first = Math.toIntExact(format.slice().elements()) * slot;
    if (format.values() instanceof ValueColumns.BinaryColumn) {
      return bytes(slot);
    }
    return format.values() instanceof ValueColumns.FeatureColumns
        ? element(first + column)
        : nested(format.slice(), first);
  }

  private byte[] bytes(int slot) {
    int units = format.units();
    byte[] bytes = new byte[units * format.dtype().storage().bytes()];
    new UnitBytes(format.dtype().storage(), ByteBuffer.wrap(bytes))
        .write(elements.array(), slot * units, units, 0);
    return bytes;
  }

  private Object nested(Shape shape, int first) {
    if (shape.rank() == 0) {
      return element(first);
    }
    Shape inner = shape.from(1);
    Object[] values = new Object[(int) shape.dim(0)];
    for (int i = 0; i < values.length; i++) {
      values[i] = nested(inner, first + i * (int) inner.elements());
    }
    return new GenericArrayData(values);
  }

  private Object element(int i) {
    Object value = elements.element(i);
    return switch (format.dtype()) {
      case BOOL, FLOAT16, BFLOAT16, FLOAT32, FLOAT64 -> value;
      case INT8, INT16, INT32, UINT8, UINT16 -> ((Number) value).intValue();
      case INT64, UINT32 -> ((Number) value).longValue();
      case UINT64 ->
          Decimal.apply(new BigDecimal(new BigInteger(String.valueOf(value))), UINT64_DIGITS, 0);
      case COMPLEX64, COMPLEX128 -> complex((Complex) value);
      case STRING -> UTF8String.fromString((String) value);
    };
  }

  private GenericInternalRow complex(Complex value) {
    return format.dtype() == DType.COMPLEX64
        ? new GenericInternalRow(new Object[] {(float) value.real(), (float) value.imaginary()})
        : new GenericInternalRow(new Object[] {value.real(), value.imaginary()});
  }
}
