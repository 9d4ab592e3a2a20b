/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.udf.catalyst;

import io.sparknd.cluster.internal.spark.CaseClass;
import io.sparknd.op.TupleOffset;
import io.sparknd.tensor.SparkNdException;
import io.sparknd.tensor.Tensor;
import io.sparknd.udf.UdfErrors;
import java.io.Serializable;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.aggregate.ImperativeAggregate;
import org.apache.spark.sql.catalyst.expressions.aggregate.TypedImperativeAggregate;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.types.DataType;
import scala.Option;
import scala.collection.Iterator;
import scala.collection.immutable.IndexedSeq;
import scala.collection.immutable.Seq;

/**
 * The aggregate {@code scatter_nd_agg}: builds a tensor from the rows of each group. As in Spark's
 * own aggregates, rows with a NULL index or value do not count.
 */
final class TensorAggregate extends TypedImperativeAggregate<GroupUpdates>
    implements CaseClass, Serializable {
  private static final long serialVersionUID = 1;

  /** The position of {@code order_by} among the children. */
  private static final int ORDER = 4;

  /** The readers of a row's children, the scatter and the writer of the result. */
  record Parts(TensorReader index, TensorReader value, GroupScatter scatter, TensorWriter writer)
      implements Serializable {}

  private final Parts parts;
  private final Seq<Expression> children;

  /** Stored separately, because Spark does not send the origin of an expression to tasks. */
  private final CallOrigin origin;

  private final int mutableAggBufferOffset;
  private final int inputAggBufferOffset;
  private transient TupleOffset tuples;

  /**
   * Creates an aggregate.
   *
   * @param children the arguments in the order of the parameters, without trailing ones that have
   *     their defaults
   */
  TensorAggregate(Parts parts, Seq<Expression> children) {
    this.parts = parts;
    this.children = children;
    this.origin = new CallOrigin(origin().context());
    this.mutableAggBufferOffset = 0;
    this.inputAggBufferOffset = 0;
  }

  private TensorAggregate(
      TensorAggregate like,
      Seq<Expression> children,
      int mutableAggBufferOffset,
      int inputAggBufferOffset) {
    this.parts = like.parts;
    this.children = children;
    this.origin = like.origin;
    this.mutableAggBufferOffset = mutableAggBufferOffset;
    this.inputAggBufferOffset = inputAggBufferOffset;
  }

  @Override
  public GroupUpdates createAggregationBuffer() {
    return parts.scatter().empty();
  }

  @Override
  public GroupUpdates update(GroupUpdates buffer, InternalRow row) {
    return withOrigin(() -> updated(buffer, row));
  }

  /** Returns the result of {@code call}; its errors name the position in the statement. */
  private <T> T withOrigin(Supplier<T> call) {
    try {
      return call.get();
    } catch (SparkNdException e) {
      throw origin.of(e);
    }
  }

  private GroupUpdates updated(GroupUpdates buffer, InternalRow row) {
    Object index = children.apply(0).eval(row);
    boolean hasNull = index == null || index instanceof ArrayData array && hasNull(array);
    Object value = hasNull ? null : children.apply(1).eval(row);
    if (value != null) {
      long[] tuple = parts.index().longs(index);
      Tensor slice = parts.value().read(value);
      if (tuples == null) {
        tuples = parts.scatter().tuples();
      }
      parts.scatter().add(buffer, tuples, tuple, slice, order(row, tuple));
    }
    return buffer;
  }

  private static boolean hasNull(ArrayData tuple) {
    for (int i = 0; i < tuple.numElements(); i++) {
      if (tuple.isNullAt(i)) {
        return true;
      }
    }
    return false;
  }

  private long order(InternalRow row, long[] tuple) {
    if (!parts.scatter().ordered()) {
      return 0;
    }
    Number order = (Number) children.apply(ORDER).eval(row);
    if (order == null) {
      throw UdfErrors.nullOrder(Arrays.toString(tuple));
    }
    return order.longValue();
  }

  @Override
  public GroupUpdates merge(GroupUpdates buffer, GroupUpdates more) {
    return withOrigin(
        () -> {
          parts.scatter().merge(buffer, more);
          return buffer;
        });
  }

  @Override
  public Object eval(GroupUpdates buffer) {
    return withOrigin(() -> parts.writer().write(parts.scatter().result(buffer)));
  }

  @Override
  public byte[] serialize(GroupUpdates buffer) {
    return buffer.bytes();
  }

  @Override
  public GroupUpdates deserialize(byte[] bytes) {
    return parts.scatter().read(bytes);
  }

  @Override
  public boolean nullable() {
    return false;
  }

  /** Returns zeros, which optimizer rules put in place of the result where there are no rows. */
  @Override
  public Option<Literal> defaultResult() {
    return Option.apply(Literal.create(eval(createAggregationBuffer()), dataType()));
  }

  @Override
  public DataType dataType() {
    return parts.writer().type().sql();
  }

  @Override
  public Seq<Expression> children() {
    return children;
  }

  @Override
  public Expression withNewChildrenInternal(IndexedSeq<Expression> others) {
    return new TensorAggregate(this, others, mutableAggBufferOffset, inputAggBufferOffset);
  }

  @Override
  public int mutableAggBufferOffset() {
    return mutableAggBufferOffset;
  }

  @Override
  public ImperativeAggregate withNewMutableAggBufferOffset(int offset) {
    return new TensorAggregate(this, children, offset, inputAggBufferOffset);
  }

  @Override
  public int inputAggBufferOffset() {
    return inputAggBufferOffset;
  }

  @Override
  public ImperativeAggregate withNewInputAggBufferOffset(int offset) {
    return new TensorAggregate(this, children, mutableAggBufferOffset, offset);
  }

  @Override
  public String prettyName() {
    return "scatter_nd_agg";
  }

  /** Returns the arguments that plans show in parentheses. */
  @Override
  public Iterator<Object> stringArgs() {
    return children.iterator().map(child -> child);
  }

  @Override
  public List<Object> fields() {
    return List.of(parts, children, mutableAggBufferOffset, inputAggBufferOffset);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof TensorAggregate that
        && parts.equals(that.parts)
        && children.equals(that.children)
        && mutableAggBufferOffset == that.mutableAggBufferOffset
        && inputAggBufferOffset == that.inputAggBufferOffset;
  }

  @Override
  public int hashCode() {
    return Objects.hash(parts, children);
  }
}
