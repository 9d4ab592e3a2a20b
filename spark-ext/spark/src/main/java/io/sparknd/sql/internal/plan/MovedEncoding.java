/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.sql.internal.plan;

import io.sparknd.cluster.internal.columnar.ExternalValues;
import io.sparknd.cluster.internal.columnar.SqlTypes;
import io.sparknd.cluster.internal.spark.ScalaSeqs;
import io.sparknd.op.BadIndices;
import io.sparknd.op.Gather;
import io.sparknd.op.Reduction;
import io.sparknd.sql.internal.SqlErrors;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import java.time.Duration;
import java.time.Period;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Coalesce;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.trees.CurrentOrigin;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.unsafe.types.UTF8String;
import org.jspecify.annotations.Nullable;

/**
 * Represents times, intervals, binary values and compared strings as elements of a dtype.
 *
 * @param text the encoding of bytes; null for numbers
 * @param reserved the number that encodes NULL; null if there is none
 * @param shape the shape of the tensor
 */
record MovedEncoding(
    MovedType moved, @Nullable ByteText text, @Nullable Number reserved, Shape shape)
    implements ValueEncoding {

  /**
   * Returns the encoding of a call.
   *
   * @throws io.sparknd.tensor.SparkNdException if the reduction is not defined for the type
   */
  static MovedEncoding of(MovedType moved, Reduction reduction, Shape shape) {
    if (!MovedType.isDefined(reduction)) {
      throw SqlErrors.movedReduction(
          reduction.toString(), moved.type().simpleString(), MovedType.defined());
    }
    return new MovedEncoding(moved, moved.text(reduction), moved.reserved(reduction), shape);
  }

  /** Returns what encodes NULL: a number or a string; null if the type has a zero. */
  @Override
  public @Nullable Object missing() {
    return text != null ? text.missing() : reserved;
  }

  /** Returns {@link #missing} in Spark's internal form. */
  private @Nullable Object missingElement() {
    return text != null ? UTF8String.fromString(text.missing()) : reserved;
  }

  private DataType encodedType() {
    return SqlTypes.element(moved.dtype());
  }

  /** In a tensor, NULL is an element without a value yet, if its type has no zero. */
  @Override
  public TableArgument encodedTensor(TableArgument table, SliceOrdinals columns) {
    EncodedColumn column = EncodedColumn.of(table, columns, moved.type(), shape);
    Object missing = missingElement();
    Expression values = encoded(column, missing);
    boolean mayBeNull = column.levels() == 0 && missing != null;
    return column.replacedBy(
        mayBeNull
            ? new Coalesce(ScalaSeqs.of(List.of(values, new Literal(missing, encodedType()))))
            : values);
  }

  @Override
  public TableArgument encodedUpdates(TableArgument table, SliceOrdinals columns) {
    EncodedColumn column = EncodedColumn.of(table, columns, moved.type(), shape);
    return column.replacedBy(encoded(column, null));
  }

  private Expression encoded(EncodedColumn column, @Nullable Object nulls) {
    MovedSliceEncoder encoder =
        new MovedSliceEncoder(
            column.name(),
            moved.type(),
            text,
            reserved,
            nulls,
            column.levels(),
            CurrentOrigin.get().context());
    return InvokeExpressions.of(
        encoder,
        EncodedColumn.nested(encodedType(), column.levels(), true),
        List.of(column.cast()));
  }

  @Override
  public TensorOptions options(TensorOptions options) {
    return options;
  }

  @Override
  public Gather encoded(Gather how) {
    BadIndices bad = how.indices().bad();
    if (bad instanceof BadIndices.Fill fill) {
      return how.withBadIndices(BadIndices.fill(encoded(fill.value())));
    }
    Object missing = missing();
    return bad instanceof BadIndices.Ignore && missing != null
        ? how.withBadIndices(BadIndices.fill(missing))
        : how;
  }

  private Object encoded(Object fill) {
    Object value = internal(fill);
    if (value == null || value.equals(reserved)) {
      throw SqlErrors.fillType(String.valueOf(fill), moved.type().simpleString());
    }
    return text != null ? text.encode((byte[]) value) : value;
  }

  /** Returns a value of Spark's API in Spark's internal form; null if it has another type. */
  private @Nullable Object internal(Object value) {
    if (moved.dtype() == DType.STRING) {
      return value instanceof byte[] ? value : null;
    }
    try {
      Object stored = Objects.requireNonNull(ExternalValues.of(moved.type()).internal(value));
      return keepsInterval(value, stored) ? stored : null;
    } catch (RuntimeException ofAnotherType) {
      return null;
    }
  }

  /** Spark's converters drop what is smaller than the unit of an interval's type. */
  private static boolean keepsInterval(Object value, Object stored) {
    if (value instanceof Duration duration) {
      return duration.equals(Duration.of((Long) stored, ChronoUnit.MICROS));
    }
    return !(value instanceof Period period)
        || period.normalized().equals(Period.ofMonths((Integer) stored).normalized());
  }

  @Override
  public String elements(DType dtype) {
    return moved.type().simpleString();
  }

  @Override
  public LogicalPlan decoded(LogicalPlan query, List<Integer> indices) {
    Attribute value = query.output().last();
    int levels = EncodedColumn.levels(value.dataType());
    return EncodedColumn.lastReplaced(
        query,
        InvokeExpressions.ofNullable(
            new MovedSliceDecoder(encodedType(), moved.type(), text, reserved, levels),
            EncodedColumn.nested(moved.type(), levels, missing() != null),
            List.of(value)));
  }
}
