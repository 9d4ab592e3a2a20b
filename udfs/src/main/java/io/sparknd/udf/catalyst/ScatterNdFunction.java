/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.udf.catalyst;

import io.sparknd.op.Indexing;
import io.sparknd.op.Scatter;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.Tensor;
import io.sparknd.udf.row.EmptyArrayShapes;
import io.sparknd.udf.row.SingleRowScatter;

/** The function {@code scatter_nd(indices, updates, shape)}: adds the updates to zeros. */
public final class ScatterNdFunction extends RowFunction {
  private static final long serialVersionUID = 1;

  private final IndexReader indices;
  private final TensorReader updates;
  private final TensorReader shape;
  private final Scatter how;
  private final SingleRowScatter scatter;
  private final TensorWriter writer;

  ScatterNdFunction(
      IndexReader indices,
      TensorReader updates,
      TensorReader shape,
      Scatter how,
      TensorWriter writer) {
    super("scatter_nd", writer.type().sql(), indices, updates, shape, how);
    this.indices = indices;
    this.updates = updates;
    this.shape = shape;
    this.how = how;
    this.scatter = new SingleRowScatter(how, Indexing.tuples());
    this.writer = writer;
  }

  @Override
  public int arity() {
    return 3;
  }

  @Override
  public RowOperator operator() {
    return writer.type() instanceof TensorType.Nested type && indices.depth() != IndexReader.ANY
        ? new RowOperator.ScatterNd(how.indices(), indices.depth(), type.rank())
        : RowOperator.ROW_BY_ROW;
  }

  @Override
  public Object call(Object... row) {
    return apply(row[0], row[1], row[2]);
  }

  @Override
  long bytes(Object... row) {
    return writer.bytes(Shape.of(shape.longs(row[2])));
  }

  /** Called by Spark. */
  public Object apply(Object indexValue, Object updateValue, Object shapeValue) {
    Tensor at = indices.read(indexValue);
    Tensor given = updates.read(updateValue);
    Shape dims = Shape.of(shape.longs(shapeValue));
    writer.checkSize(dims);
    if (given.elements() == 0 && indices.isUnknown(at)) {
      return writer.write(Tensor.zeros(writer.type().dtype(), dims));
    }
    ElementType element = writer.type().element();
    Tensor fitted = EmptyArrayShapes.updates(given, dims, at.shape(), Indexing.tuples());
    Tensor zeros = Tensor.zeros(element.dtype(), dims);
    DecimalSums.check(element, how, Indexing.tuples(), zeros, at, fitted);
    return writer.write(scatter.into(zeros, at, fitted));
  }
}
