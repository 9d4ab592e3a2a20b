/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.udf.catalyst;

import io.sparknd.tensor.DType;
import org.apache.spark.sql.catalyst.expressions.UnsafeArrayData;

/** The function {@code nd_shape(tensor)}: returns the dimensions of the tensor. */
public final class ShapeFunction extends RowFunction {
  private static final long serialVersionUID = 1;

  private final TensorReader tensor;

  ShapeFunction(TensorReader tensor) {
    super("nd_shape", new TensorType.Nested(ElementType.of(DType.INT64), 1).sql(), tensor);
    this.tensor = tensor;
  }

  @Override
  public int arity() {
    return 1;
  }

  @Override
  public Object call(Object... row) {
    return apply(row[0]);
  }

  /** Called by Spark. */
  public Object apply(Object tensorValue) {
    return UnsafeArrayData.fromPrimitiveArray(tensor.read(tensorValue).shape().dims());
  }
}
