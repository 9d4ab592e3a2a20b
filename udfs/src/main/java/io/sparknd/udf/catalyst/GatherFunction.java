/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.udf.catalyst;

import io.sparknd.op.Gather;
import io.sparknd.op.Indexing;
import io.sparknd.tensor.Tensor;
import io.sparknd.udf.row.RowGather;

/** {@code f(params, indices)}: the slices that the indices name. */
public final class GatherFunction extends RowFunction {
  private static final long serialVersionUID = 1;

  private final TensorReader params;
  private final IndexReader indices;
  private final RowGather gather;
  private final TensorWriter writer;

  GatherFunction(
      String name,
      TensorReader params,
      IndexReader indices,
      Gather how,
      Indexing where,
      TensorWriter writer) {
    super(name, writer.type().sql(), params, indices, how, where);
    this.params = params;
    this.indices = indices;
    this.gather = new RowGather(how, where);
    this.writer = writer;
  }

  @Override
  int arity() {
    return 2;
  }

  /** Called by Spark. */
  public Object apply(Object paramsValue, Object indexValue) {
    Tensor source = params.read(paramsValue);
    return writer.write(gather.from(source, indices.read(indexValue)));
  }
}
