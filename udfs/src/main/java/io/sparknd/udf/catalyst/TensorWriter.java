/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.udf.catalyst;

import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.Tensor;
import io.sparknd.udf.UdfErrors;
import io.sparknd.udf.catalyst.TensorType.Nested;
import java.io.Serializable;
import java.math.BigDecimal;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeArrayData;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.catalyst.util.GenericArrayData;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.unsafe.types.UTF8String;

/** Converts tensors to Spark values. Thread-safe. */
final class TensorWriter implements Serializable {
  private static final long serialVersionUID = 1;

  private final TensorType type;
  private transient volatile PackedLayouts layouts;

  /**
   * Creates a writer.
   *
   * @param type of the values
   */
  TensorWriter(TensorType type) {
    this.type = type;
  }

  TensorType type() {
    return type;
  }

  /**
   * Returns a value with its own memory.
   *
   * @throws io.sparknd.tensor.SparkNdException if it does not fit in a row
   */
  Object write(Tensor tensor) {
    Shape shape = tensor.shape();
    if (type.element().isDecimal()) {
      checkDecimals((long[]) tensor.array());
    }
    if (type instanceof Nested) {
      return shape.rank() == 0 ? scalar(tensor) : array(tensor, shape);
    }
    ArrayData dims = UnsafeArrayData.fromPrimitiveArray(shape.dims());
    return new GenericInternalRow(new Object[] {dims, array(tensor, Shape.of(shape.elements()))});
  }

  /**
   * Returns the bytes of a tensor of {@code shape} in a row; {@code Long.MAX_VALUE} if it does not
   * fit.
   */
  long bytes(Shape shape) {
    return ValueSize.of(type.dtype(), shapeOfArrays(shape));
  }

  /**
   * Checks the size of a result.
   *
   * @throws io.sparknd.tensor.SparkNdException if a tensor of {@code shape} does not fit in a row
   */
  void checkSize(Shape shape) {
    ValueSize.check(type.dtype(), shapeOfArrays(shape));
  }

  private Shape shapeOfArrays(Shape shape) {
    return type instanceof Nested ? shape : Shape.of(shape.elements());
  }

  private void checkDecimals(long[] values) {
    DecimalType decimal = type.element().decimal();
    long bound = Decimal.POW_10()[decimal.precision()];
    for (long value : values) {
      if (value <= -bound || value >= bound) {
        throw UdfErrors.decimalElementOverflow(
            BigDecimal.valueOf(value, decimal.scale()), decimal.sql());
      }
    }
  }

  private Object scalar(Tensor tensor) {
    DecimalType decimal = type.element().decimal();
    return decimal == null
        ? element(tensor, 0)
        : Decimal.createUnsafe(((long[]) tensor.array())[0], decimal.precision(), decimal.scale());
  }

  private ArrayData array(Tensor tensor, Shape shape) {
    if (tensor.dtype() != DType.STRING) {
      return layouts(tensor.dtype()).of(shape).pack(tensor); // a layout checks its size
    }
    ValueSize.check(DType.STRING, shape);
    return strings((String[]) tensor.array(), shape, 0, 0);
  }

  private static ArrayData strings(String[] values, Shape shape, int level, int at) {
    Object[] inner = new Object[(int) shape.dim(level)];
    int step = (int) shape.from(level + 1).elements();
    for (int i = 0; i < inner.length; i++) {
      inner[i] =
          level == shape.rank() - 1
              ? UTF8String.fromString(values[at + i])
              : strings(values, shape, level + 1, at + i * step);
    }
    return new GenericArrayData(inner);
  }

  private static Object element(Tensor tensor, int at) {
    Object array = tensor.array();
    return switch (tensor.dtype()) {
      case BOOL -> ((byte[]) array)[at] != 0;
      case INT8 -> ((byte[]) array)[at];
      case INT16 -> ((short[]) array)[at];
      case INT32 -> ((int[]) array)[at];
      case INT64 -> ((long[]) array)[at];
      case FLOAT32 -> ((float[]) array)[at];
      case FLOAT64 -> ((double[]) array)[at];
      case STRING -> UTF8String.fromString(((String[]) array)[at]);
      default -> throw new AssertionError(tensor.dtype());
    };
  }

  private PackedLayouts layouts(DType dtype) {
    PackedLayouts known = layouts;
    if (known == null) {
      known = new PackedLayouts(dtype);
      layouts = known;
    }
    return known;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof TensorWriter that && type.equals(that.type);
  }

  @Override
  public int hashCode() {
    return type.hashCode();
  }
}
