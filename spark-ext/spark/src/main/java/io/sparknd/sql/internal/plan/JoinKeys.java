/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.sql.internal.plan;

import io.sparknd.cluster.internal.columnar.InternalRows;
import io.sparknd.cluster.internal.rows.SliceSet;
import io.sparknd.cluster.internal.spark.ScalaSeqs;
import io.sparknd.tensor.Shape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Cast;
import org.apache.spark.sql.catalyst.expressions.DynamicPruningExpression;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.execution.InSubqueryExec;
import org.jspecify.annotations.Nullable;
import scala.jdk.javaapi.OptionConverters;

/** The keys of a join, which Spark has when a query runs. */
final class JoinKeys {
  private JoinKeys() {}

  /**
   * Returns the position of the index column that a key is, at most widened; empty if it is none.
   */
  static Optional<Integer> indexOf(Expression key, List<Attribute> indices) {
    if (key instanceof Cast cast
        && InternalRows.isInteger(cast.dataType())
        && cast.dataType().defaultSize() >= cast.child().dataType().defaultSize()) {
      return indexOf(cast.child(), indices);
    }
    return IntStream.range(0, indices.size())
        .filter(i -> InternalRows.isInteger(key.dataType()) && IndexBounds.is(key, indices.get(i)))
        .boxed()
        .findFirst();
  }

  /**
   * Returns the operation on the slices that the keys name, if they are few. If they name none, it
   * returns one all the same, which the join drops.
   *
   * @param columns index columns of the result, outermost dimension first
   * @param filters planned filters on {@code columns}
   */
  static ScatterRows restricted(
      ScatterRows scatter, List<Attribute> columns, List<Expression> filters) {
    List<long @Nullable []> keys = new ArrayList<>();
    columns.forEach(column -> keys.add(null));
    filters.forEach(filter -> put(filter, columns, scatter.outer(), keys));
    return named(scatter, keys)
        .map(few -> scatter.and(few).orElseGet(() -> first(scatter)))
        .orElse(scatter);
  }

  private static void put(
      Expression filter, List<Attribute> columns, Shape outer, List<long @Nullable []> keys) {
    if (filter instanceof DynamicPruningExpression pruning
        && pruning.child() instanceof InSubqueryExec in) {
      indexOf(in.child(), columns)
          .ifPresent(
              d ->
                  OptionConverters.toJava(in.values())
                      .ifPresent(values -> keys.set(d, inBounds(values, outer.dim(d)))));
    }
  }

  private static long[] inBounds(Object[] values, long size) {
    return Arrays.stream(values)
        .filter(Number.class::isInstance)
        .mapToLong(value -> ((Number) value).longValue())
        .filter(index -> index >= 0 && index < size)
        .sorted()
        .distinct()
        .toArray();
  }

  private static Optional<SliceSet> named(ScatterRows scatter, List<long @Nullable []> keys) {
    Shape outer = scatter.outer();
    if (keys.stream().allMatch(Objects::isNull)) {
      return Optional.empty();
    }
    if (scatter.few().isPresent()) {
      return scatter.few().map(few -> few.where(slice -> isNamed(outer.coordinates(slice), keys)));
    }
    List<long[]> indices = new ArrayList<>();
    for (int d = 0; d < keys.size(); d++) {
      long[] named = keys.get(d);
      if (named == null && outer.dim(d) > SliceSet.MAX) {
        return Optional.empty();
      }
      indices.add(named == null ? LongStream.range(0, outer.dim(d)).toArray() : named);
    }
    return SliceSet.of(outer, indices);
  }

  private static boolean isNamed(long[] tuple, List<long @Nullable []> keys) {
    return IntStream.range(0, tuple.length)
        .allMatch(
            d -> {
              long[] named = keys.get(d);
              return named == null || Arrays.binarySearch(named, tuple[d]) >= 0;
            });
  }

  private static ScatterRows first(ScatterRows scatter) {
    return scatter.within(scatter.range(), SliceSet.of(LongStream.of(scatter.range().first())));
  }

  /** The text that follows a call in plans; empty without keys. */
  static String text(List<Expression> filters, List<Attribute> columns) {
    List<String> names =
        filters.stream()
            .map(
                filter ->
                    filter instanceof DynamicPruningExpression planned ? planned.child() : filter)
            .filter(filter -> !ScalaSeqs.list(filter.children()).isEmpty())
            .flatMap(filter -> indexOf(ScalaSeqs.list(filter.children()).get(0), columns).stream())
            .map(d -> columns.get(d).name())
            .toList();
    return names.isEmpty() ? "" : ", only keys of the join on " + names;
  }
}
