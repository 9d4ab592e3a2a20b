/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.udf.catalyst;

import io.sparknd.cluster.internal.columnar.SliceWriter;
import io.sparknd.cluster.internal.columnar.SqlTypes;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import io.sparknd.udf.UdfErrors;

/** The function {@code nd_decode(value, dtype[, shape])}: decodes little-endian bytes to arrays. */
public final class DecodeFunction extends RowFunction {
  private static final long serialVersionUID = 1;

  private final DType dtype;

  /** Null for a result of one dimension that holds all elements. */
  private final TensorReader shape;

  /** The layout of the last row; rows tend to have the shape of the previous one. */
  private transient volatile Layout last;

  private record Layout(Shape shape, SliceWriter writer) {}

  /**
   * Creates the function.
   *
   * @param rank of the arrays
   */
  DecodeFunction(DType dtype, TensorReader shape, int rank) {
    super(
        "nd_decode",
        SqlTypes.slice(dtype, rank),
        shape == null ? new Object[] {dtype} : new Object[] {dtype, shape});
    this.dtype = dtype;
    this.shape = shape;
  }

  /** Counts the dtype argument, because it precedes {@code shape}. */
  @Override
  public int arity() {
    return shape == null ? 2 : 3;
  }

  @Override
  public Object call(Object... row) {
    return shape == null ? apply(row[0], row[1]) : apply(row[0], row[1], row[2]);
  }

  /** Called by Spark. */
  public Object apply(Object value, Object word) {
    byte[] bytes = (byte[]) value;
    if (bytes.length % dtype.bytes() != 0) {
      throw UdfErrors.notWholeElements(bytes.length, dtype);
    }
    return arrays(bytes, Shape.of(bytes.length / dtype.bytes()));
  }

  /** Called by Spark. */
  public Object apply(Object value, Object word, Object shapeValue) {
    byte[] bytes = (byte[]) value;
    Shape dims = Shape.of(shape.longs(shapeValue));
    if (dims.elements() > bytes.length || dims.elements() * dtype.bytes() != bytes.length) {
      throw UdfErrors.bytesOfAnotherShape(bytes.length, dtype, dims);
    }
    return arrays(bytes, dims);
  }

  private Object arrays(byte[] bytes, Shape dims) {
    ElementBytes elements = new ElementBytes(dtype);
    Layout layout = last;
    if (layout == null || !layout.shape().equals(dims)) {
      layout = new Layout(dims, new SliceWriter(elements.wide(), dims));
      last = layout;
    }
    return layout.writer().value(elements.decoded(bytes), 0);
  }
}
