/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.udf.catalyst;

import io.sparknd.op.Gather;
import io.sparknd.op.Indexing;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.Tensor;
import io.sparknd.udf.UdfErrors;
import io.sparknd.udf.row.SingleRowGather;

/** A function {@code f(params, indices)}: gathers the slices that the indices name. */
public final class RowGatherFunction extends RowFunction {
  private static final long serialVersionUID = 1;

  private final TensorReader params;
  private final IndexReader indices;
  private final Gather how;
  private final Indexing where;
  private final SingleRowGather gather;
  private final TensorWriter writer;

  RowGatherFunction(
      String name,
      TensorReader params,
      IndexReader indices,
      Gather how,
      Indexing where,
      TensorWriter writer) {
    super(name, writer.type().sql(), params, indices, how, where);
    this.params = params;
    this.indices = indices;
    this.how = how;
    this.where = where;
    this.gather = new SingleRowGather(how, where);
    this.writer = writer;
  }

  @Override
  public int arity() {
    return 2;
  }

  @Override
  public RowOperator operator() {
    return where.equals(Indexing.tuples()) && indices.depth() != IndexReader.ANY
        ? new RowOperator.Gather(how.indices(), indices.depth())
        : RowOperator.ROW_BY_ROW;
  }

  @Override
  public Object call(Object... row) {
    return apply(row[0], row[1]);
  }

  @Override
  long bytes(Object... row) {
    Shape tuples = indices.read(row[1]).shape();
    return writer.bytes(where.plan(params.read(row[0]).shape(), tuples).updates());
  }

  /** Called by Spark. */
  public Object apply(Object paramsValue, Object indexValue) {
    Tensor source = params.read(paramsValue);
    Tensor at = indices.read(indexValue);
    if (indices.isUnknown(at) && where instanceof Indexing.Tuples) {
      throw UdfErrors.emptyIndices(
          at.shape(), "pass depth => ..., or indices as a struct (shape, values)");
    }
    return writer.write(gather.from(source, at));
  }
}
