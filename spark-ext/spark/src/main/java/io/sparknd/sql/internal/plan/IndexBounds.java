/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.sql.internal.plan;

import io.sparknd.cluster.internal.spark.ScalaSeqs;
import io.sparknd.cluster.internal.tables.SliceRange;
import io.sparknd.tensor.Shape;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.catalyst.expressions.And;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.BinaryComparison;
import org.apache.spark.sql.catalyst.expressions.EqualNullSafe;
import org.apache.spark.sql.catalyst.expressions.EqualTo;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.GreaterThan;
import org.apache.spark.sql.catalyst.expressions.GreaterThanOrEqual;
import org.apache.spark.sql.catalyst.expressions.In;
import org.apache.spark.sql.catalyst.expressions.InSet;
import org.apache.spark.sql.catalyst.expressions.LessThan;
import org.apache.spark.sql.catalyst.expressions.LessThanOrEqual;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.Or;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Bounds of an index column, which hold wherever a condition does.
 *
 * @param first the least index
 * @param last the greatest index; below {@code first} if there is none
 */
record IndexBounds(long first, long last) {
  private static final IndexBounds NONE = new IndexBounds(0, -1);

  /**
   * Returns the range of slices outside which a condition fails: from the tuple of all first
   * indices to that of all last ones.
   *
   * @param columns index columns, outermost dimension first
   * @param outer shape in slices
   */
  static SliceRange range(List<Expression> conditions, List<Attribute> columns, Shape outer) {
    long first = 0;
    long last = 0;
    for (int d = 0; d < columns.size(); d++) {
      IndexBounds bounds = of(conditions, columns.get(d), outer.dim(d));
      if (bounds.isEmpty()) {
        return SliceRange.NONE;
      }
      long stride = outer.from(d + 1).elements();
      first += bounds.first * stride;
      last += bounds.last * stride;
    }
    return new SliceRange(first, last + 1);
  }

  /** Whether all indices for which the conditions hold are in bounds. */
  static boolean areInBounds(List<Expression> conditions, Attribute column, long size) {
    IndexBounds any = new IndexBounds(Long.MIN_VALUE, Long.MAX_VALUE);
    IndexBounds bounds = any;
    for (Expression condition : conditions) {
      bounds = bounds.and(any.where(condition, column));
    }
    return bounds.isEmpty() || bounds.first >= 0 && bounds.last < size;
  }

  /** Returns the bounds of an index column of size {@code size} where all conditions hold. */
  static IndexBounds of(List<Expression> conditions, Attribute column, long size) {
    IndexBounds whole = new IndexBounds(0, size - 1);
    IndexBounds bounds = whole;
    for (Expression condition : conditions) {
      bounds = bounds.and(whole.where(condition, column));
    }
    return bounds.isEmpty() ? NONE : bounds;
  }

  /** Whether the bounds are those of a whole dimension of size {@code size}. */
  boolean isAll(long size) {
    return first == 0 && last == size - 1;
  }

  long count() {
    return last - first + 1;
  }

  /** Whether a condition compares {@code column} with a number, so that its bounds are exact. */
  static boolean isComparison(Expression condition, Attribute column) {
    return condition instanceof BinaryComparison comparison
        && (is(comparison.left(), column) && number(comparison.right()).isPresent()
            || is(comparison.right(), column) && number(comparison.left()).isPresent());
  }

  /** Returns the part of these bounds outside which a condition fails. */
  private IndexBounds where(Expression condition, Attribute column) {
    if (condition instanceof And both) {
      return where(both.left(), column).and(where(both.right(), column));
    }
    if (condition instanceof Or either) {
      return where(either.left(), column).or(where(either.right(), column));
    }
    if (condition instanceof In in && is(in.value(), column)) {
      return whereAny(ScalaSeqs.list(in.list()).stream().map(IndexBounds::number).toList());
    }
    if (condition instanceof InSet in && is(in.child(), column)) {
      return whereAny(
          CollectionConverters.asJava(in.hset()).stream().map(IndexBounds::asLong).toList());
    }
    return condition instanceof BinaryComparison comparison
        ? and(compared(comparison, column))
        : this;
  }

  /** Returns the bounds of a column that is compared with a number. */
  private IndexBounds compared(BinaryComparison comparison, Attribute column) {
    boolean isLeft = is(comparison.left(), column);
    if (!isLeft && !is(comparison.right(), column)) {
      return this;
    }
    return number(isLeft ? comparison.right() : comparison.left())
        .map(value -> compared(comparison, isLeft, value))
        .orElse(this);
  }

  /**
   * @param isLeft whether the column is on the left of the number
   */
  private IndexBounds compared(BinaryComparison comparison, boolean isLeft, long value) {
    if (comparison instanceof EqualTo || comparison instanceof EqualNullSafe) {
      return new IndexBounds(value, value);
    }
    if (comparison instanceof LessThan || comparison instanceof GreaterThan) {
      boolean isBelow = comparison instanceof LessThan == isLeft;
      return isBelow ? below(value) : above(value);
    }
    boolean isUpTo = comparison instanceof LessThanOrEqual == isLeft;
    return comparison instanceof LessThanOrEqual || comparison instanceof GreaterThanOrEqual
        ? new IndexBounds(isUpTo ? Long.MIN_VALUE : value, isUpTo ? value : Long.MAX_VALUE)
        : this;
  }

  private static IndexBounds below(long value) {
    return value == Long.MIN_VALUE ? NONE : new IndexBounds(Long.MIN_VALUE, value - 1);
  }

  private static IndexBounds above(long value) {
    return value == Long.MAX_VALUE ? NONE : new IndexBounds(value + 1, Long.MAX_VALUE);
  }

  private IndexBounds whereAny(Collection<Optional<Long>> values) {
    IndexBounds any = NONE;
    for (Optional<Long> value : values) {
      if (value.isEmpty()) {
        return this;
      }
      any = any.or(and(new IndexBounds(value.get(), value.get())));
    }
    return any;
  }

  /** Whether an expression is the column itself. */
  static boolean is(Expression expression, Attribute column) {
    return expression instanceof Attribute attribute && attribute.exprId().equals(column.exprId());
  }

  /** Returns the value of an integer constant. */
  static Optional<Long> number(Expression expression) {
    return expression instanceof Literal literal ? asLong(literal.value()) : Optional.empty();
  }

  /** Returns an integer in Spark's internal form. */
  static Optional<Long> asLong(Object value) {
    return value instanceof Byte
            || value instanceof Short
            || value instanceof Integer
            || value instanceof Long
        ? Optional.of(((Number) value).longValue())
        : Optional.empty();
  }

  private boolean isEmpty() {
    return first > last;
  }

  private IndexBounds and(IndexBounds other) {
    return new IndexBounds(Math.max(first, other.first), Math.min(last, other.last));
  }

  /** Returns the bounds of both, and of what lies between them. */
  private IndexBounds or(IndexBounds other) {
    if (isEmpty()) {
      return other;
    }
    return other.isEmpty()
        ? this
        : new IndexBounds(Math.min(first, other.first), Math.max(last, other.last));
  }
}
