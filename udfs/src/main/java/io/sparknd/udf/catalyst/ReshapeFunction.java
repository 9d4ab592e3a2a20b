/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.udf.catalyst;

import io.sparknd.tensor.Tensor;
import io.sparknd.udf.row.RowReshape;

/** The function {@code nd_reshape(tensor, shape)}: returns the same elements in another shape. */
public final class ReshapeFunction extends RowFunction {
  private static final long serialVersionUID = 1;

  private final TensorReader tensor;
  private final TensorReader shape;
  private final TensorWriter writer;

  ReshapeFunction(TensorReader tensor, TensorReader shape, TensorWriter writer) {
    super("nd_reshape", writer.type().sql(), tensor, shape);
    this.tensor = tensor;
    this.shape = shape;
    this.writer = writer;
  }

  @Override
  public int arity() {
    return 2;
  }

  @Override
  public Object call(Object... row) {
    return apply(row[0], row[1]);
  }

  /** Called by Spark. */
  public Object apply(Object tensorValue, Object shapeValue) {
    Tensor source = tensor.read(tensorValue);
    return writer.write(RowReshape.to(source, shape.longs(shapeValue)));
  }
}
