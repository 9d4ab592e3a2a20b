/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.udf.catalyst;

import io.sparknd.tensor.Shape;
import io.sparknd.tensor.Tensor;

/** The function {@code nd_zeros(shape)}: returns zeros, false or empty strings. */
public final class ZerosFunction extends RowFunction {
  private static final long serialVersionUID = 1;

  private final TensorReader shape;
  private final TensorWriter writer;

  ZerosFunction(TensorReader shape, TensorWriter writer) {
    super("nd_zeros", writer.type().sql(), shape);
    this.shape = shape;
    this.writer = writer;
  }

  @Override
  public int arity() {
    return 1;
  }

  @Override
  public Object call(Object... row) {
    return apply(row[0]);
  }

  @Override
  long bytes(Object... row) {
    return writer.bytes(Shape.of(shape.longs(row[0])));
  }

  /** Called by Spark. */
  public Object apply(Object shapeValue) {
    Shape dims = Shape.of(shape.longs(shapeValue));
    writer.checkSize(dims);
    return writer.write(Tensor.zeros(writer.type().dtype(), dims));
  }
}
