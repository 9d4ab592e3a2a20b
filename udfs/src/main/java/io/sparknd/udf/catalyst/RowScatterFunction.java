/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.udf.catalyst;

import io.sparknd.op.Indexing;
import io.sparknd.op.Scatter;
import io.sparknd.tensor.Tensor;
import io.sparknd.udf.catalyst.TensorType.Nested;
import io.sparknd.udf.row.EmptyArrayShapes;
import io.sparknd.udf.row.RunTensor;
import io.sparknd.udf.row.SingleRowScatter;
import org.apache.spark.sql.catalyst.expressions.UnsafeArrayData;

/** A function {@code f(tensor, indices, updates)}: returns the tensor with the updates applied. */
public final class RowScatterFunction extends RowFunction {
  private static final long serialVersionUID = 1;

  private final TensorReader tensor;
  private final IndexReader indices;
  private final TensorReader updates;
  private final ElementType element;
  private final Scatter how;
  private final Indexing where;
  private final SingleRowScatter scatter;
  private final TensorWriter writer;

  RowScatterFunction(
      String name,
      TensorReader tensor,
      IndexReader indices,
      TensorReader updates,
      Scatter how,
      Indexing where,
      TensorWriter writer) {
    super(name, writer.type().sql(), tensor, indices, updates, how, where);
    this.tensor = tensor;
    this.indices = indices;
    this.updates = updates;
    this.element = writer.type().element();
    this.how = how;
    this.where = where;
    this.scatter = new SingleRowScatter(how, where);
    this.writer = writer;
  }

  @Override
  public int arity() {
    return 3;
  }

  @Override
  public RowOperator operator() {
    boolean simple = where.equals(Indexing.tuples()) && scatter.isPlainFold();
    return simple && indices.depth() != IndexReader.ANY && !element.isDecimal()
        ? new RowOperator.Scatter(how.reduction(), how.indices(), indices.depth())
        : RowOperator.ROW_BY_ROW;
  }

  @Override
  boolean takesMemory() {
    return true;
  }

  @Override
  public Object call(Object... row) {
    return apply(row[0], row[1], row[2], new RowMemory());
  }

  /** Called by Spark. */
  public Object apply(Object tensorValue, Object indexValue, Object updateValue, RowMemory memory) {
    PackedLayout into =
        scatter.isPlainFold() && !element.isDecimal() ? tensor.layout(tensorValue) : null;
    PackedLayout from = into == null ? null : updates.layout(updateValue);
    if (from != null && into.hasRuns() && from.hasRuns()) {
      UnsafeArrayData target = (UnsafeArrayData) tensorValue;
      UnsafeArrayData given = (UnsafeArrayData) updateValue;
      Tensor at = indices.read(indexValue);
      return scatter.moves() && PackedLayout.isOfBytes(target) && PackedLayout.isOfBytes(given)
          ? apply(into, into.bytes(target, memory), at, from.bytes(given))
          : apply(into, into.result(target, memory), at, from.operand(given, memory));
    }
    // the tensor was just read and is not shared, so it is updated in place
    Tensor target = tensor.read(tensorValue);
    Tensor at = indices.read(indexValue);
    Tensor given = updates.read(updateValue);
    if (given.elements() == 0 && indices.isUnknown(at) && where instanceof Indexing.Tuples) {
      return writer.write(target);
    }
    Tensor whole =
        writer.type() instanceof Nested
            ? EmptyArrayShapes.target(target, at.shape(), given.shape(), where)
            : target;
    Tensor fitted = EmptyArrayShapes.updates(given, whole.shape(), at.shape(), where);
    DecimalSums.check(element, how, where, whole, at, fitted);
    return writer.write(scatter.into(whole, at, fitted));
  }

  private UnsafeArrayData apply(PackedLayout layout, RunTensor target, Tensor at, RunTensor given) {
    scatter.into(target, at, given);
    return layout.array(target);
  }
}
