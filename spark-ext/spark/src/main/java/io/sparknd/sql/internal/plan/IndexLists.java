/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.sql.internal.plan;

import io.sparknd.cluster.internal.rows.SliceSet;
import io.sparknd.cluster.internal.spark.ScalaSeqs;
import io.sparknd.tensor.Shape;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.LongStream;
import org.apache.spark.sql.catalyst.expressions.And;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.EqualNullSafe;
import org.apache.spark.sql.catalyst.expressions.EqualTo;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.In;
import org.apache.spark.sql.catalyst.expressions.InSet;
import org.apache.spark.sql.catalyst.expressions.Or;
import scala.jdk.javaapi.CollectionConverters;

/** Finds the few indices of a column for which conditions can hold. */
final class IndexLists {
  private IndexLists() {}

  /**
   * Returns the slices for which conditions can hold.
   *
   * @param columns index columns, outermost dimension first
   * @param outer shape in slices
   * @return empty if they are none or too many
   */
  static Optional<SliceSet> slices(
      List<Expression> conditions, List<Attribute> columns, Shape outer) {
    List<long[]> indices = new ArrayList<>();
    for (int d = 0; d < columns.size(); d++) {
      Optional<long[]> few = few(conditions, columns.get(d), outer.dim(d));
      if (few.isEmpty()) {
        return Optional.empty();
      }
      indices.add(few.get());
    }
    return SliceSet.of(outer, indices).filter(slices -> slices.count() > 0);
  }

  /** Returns the indices of a column of size {@code size}; empty if they are too many. */
  private static Optional<long[]> few(List<Expression> conditions, Attribute column, long size) {
    IndexBounds bounds = IndexBounds.of(conditions, column, size);
    Optional<Set<Long>> listed =
        conditions.stream()
            .map(condition -> listed(condition, column))
            .flatMap(Optional::stream)
            .reduce(IndexLists::both);
    if (listed.isPresent()) {
      return Optional.of(
          listed.get().stream()
              .mapToLong(Long::longValue)
              .filter(index -> index >= bounds.first() && index <= bounds.last())
              .toArray());
    }
    return bounds.count() > SliceSet.MAX
        ? Optional.empty()
        : Optional.of(LongStream.rangeClosed(bounds.first(), bounds.last()).toArray());
  }

  /** Returns all values for which a condition can hold; empty if it does not list them. */
  private static Optional<Set<Long>> listed(Expression condition, Attribute column) {
    if (condition instanceof And and) {
      Optional<Set<Long>> left = listed(and.left(), column);
      Optional<Set<Long>> right = listed(and.right(), column);
      return left.isPresent() && right.isPresent()
          ? Optional.of(both(left.get(), right.get()))
          : left.or(() -> right);
    }
    if (condition instanceof Or or) {
      return listed(or.left(), column)
          .flatMap(left -> listed(or.right(), column).map(right -> either(left, right)));
    }
    if (condition instanceof EqualTo equal) {
      return value(equal.left(), equal.right(), column);
    }
    if (condition instanceof EqualNullSafe equal) {
      return value(equal.left(), equal.right(), column);
    }
    if (condition instanceof In in && IndexBounds.is(in.value(), column)) {
      return all(ScalaSeqs.list(in.list()).stream().map(IndexBounds::number).toList());
    }
    return condition instanceof InSet in && IndexBounds.is(in.child(), column)
        ? all(CollectionConverters.asJava(in.hset()).stream().map(IndexBounds::asLong).toList())
        : Optional.empty();
  }

  private static Optional<Set<Long>> value(Expression left, Expression right, Attribute column) {
    if (IndexBounds.is(left, column)) {
      return IndexBounds.number(right).map(Set::of);
    }
    return IndexBounds.is(right, column) ? IndexBounds.number(left).map(Set::of) : Optional.empty();
  }

  private static Optional<Set<Long>> all(Collection<Optional<Long>> values) {
    Set<Long> all = new HashSet<>();
    values.forEach(value -> value.ifPresent(all::add));
    return values.stream().allMatch(Optional::isPresent) ? Optional.of(all) : Optional.empty();
  }

  private static Set<Long> both(Set<Long> one, Set<Long> other) {
    Set<Long> both = new HashSet<>(one);
    both.retainAll(other);
    return both;
  }

  private static Set<Long> either(Set<Long> one, Set<Long> other) {
    Set<Long> either = new HashSet<>(one);
    either.addAll(other);
    return either;
  }
}
