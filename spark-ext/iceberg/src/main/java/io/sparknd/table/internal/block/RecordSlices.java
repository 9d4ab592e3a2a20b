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
import java.util.Arrays;
import org.apache.iceberg.data.GenericRecord;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;

/**
 * Converts slices to values of a table's columns, as Iceberg's records have them. Element by
 * element, so slower than {@link io.sparknd.table.internal.file.RowFileWriter}.
 *
 * @param elements all elements of all slots
 */
record RecordSlices(RowFormat format, Tensor elements) {
  /**
   * @param payload an array of {@code format.dtype().storage()}, whose length is a whole number of
   *     rows
   */
  static RecordSlices of(RowFormat format, Object payload) {
    long count = format.dtype().storage().length(payload) / format.dtype().units();
    return new RecordSlices(format, Tensor.wrap(format.dtype(), Shape.of(count), payload));
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

  private ByteBuffer bytes(int slot) {
    int units = format.units();
    byte[] bytes = new byte[units * format.dtype().storage().bytes()];
    new UnitBytes(format.dtype().storage(), ByteBuffer.wrap(bytes))
        .write(elements.array(), slot * units, units, 0);
    return ByteBuffer.wrap(bytes);
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
    return Arrays.asList(values);
  }

  private Object element(int i) {
    Object value = elements.element(i);
    return switch (format.dtype()) {
      case BOOL, FLOAT16, BFLOAT16, FLOAT32, FLOAT64, STRING -> value;
      case INT8, INT16, INT32, UINT8, UINT16 -> ((Number) value).intValue();
      case INT64, UINT32 -> ((Number) value).longValue();
      case UINT64 -> new BigDecimal(new BigInteger(String.valueOf(value)));
      case COMPLEX64, COMPLEX128 -> complex((Complex) value);
    };
  }

  private Record complex(Complex value) {
    boolean isSingle = format.dtype() == DType.COMPLEX64;
    Record parts = GenericRecord.create(complexType());
    parts.set(0, isSingle ? (Object) (float) value.real() : (Object) value.real());
    parts.set(1, isSingle ? (Object) (float) value.imaginary() : (Object) value.imaginary());
    return parts;
  }

  /** Returns the type of the columns' elements. */
  private Types.StructType complexType() {
    Type type = format.schema().columns().get(format.indexColumns().size()).type();
    while (type.isListType()) {
      type = type.asListType().elementType();
    }
    return type.asStructType();
  }
}
