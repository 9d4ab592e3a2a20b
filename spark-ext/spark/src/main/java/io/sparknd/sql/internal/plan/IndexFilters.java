/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.sql.internal.plan;

import io.sparknd.cluster.internal.columnar.InternalRows;
import io.sparknd.cluster.internal.spark.ScalaSeqs;
import io.sparknd.tensor.Shape;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.sql.catalyst.expressions.And;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Cast$;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.GreaterThanOrEqual;
import org.apache.spark.sql.catalyst.expressions.IsNotNull;
import org.apache.spark.sql.catalyst.expressions.IsNull;
import org.apache.spark.sql.catalyst.expressions.LessThan;
import org.apache.spark.sql.catalyst.expressions.LessThanOrEqual;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.Or;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import scala.Option;

/**
 * Moves conditions on the index columns of a result to a table of slices or updates. Rows whose
 * index is null or outside the shape pass the moved filter, whatever the condition: a row with a
 * bad index belongs to no slice, so no filter on slices removes its error. Negative indices that
 * wrap and indices that are clipped pass as well.
 *
 * @param columns index columns of the result, outermost dimension first
 * @param shape of the tensor
 * @param conditions that may move ({@link FilterTerms#canMove}) and refer to {@code columns} only
 */
record IndexFilters(List<Attribute> columns, Shape shape, List<Expression> conditions) {
  /**
   * Part of a dimension above which a comparison does not filter tables: a filtered scan gives rows
   * one by one, which costs more than so few rows save.
   */
  private static final double MOST = 0.75;

  /**
   * Returns the rows of {@code table} that the result can depend on.
   *
   * @param indices index columns of the table, outermost dimension first; conditions on further
   *     columns of the result are not applied
   */
  LogicalPlan filtered(LogicalPlan table, List<Attribute> indices) {
    int depth = Math.min(indices.size(), columns.size());
    List<Attribute> known = columns.subList(0, depth);
    ColumnReplacement replacement = new ColumnReplacement(known, asKnown(indices, depth));
    Expression outside = outside(indices);
    // one filter term for each condition: a scan takes those that it knows
    List<Expression> terms =
        terms(known, indices, replacement)
            .<Expression>map(condition -> new Or(outside, condition))
            .toList();
    return FilterTerms.filter(terms, table);
  }

  /**
   * Returns the conditions as the table's columns have them. A condition that can fail, such as a
   * division, moves only with all others, in their order: another one may guard it.
   */
  private Stream<Expression> terms(
      List<Attribute> known, List<Attribute> indices, ColumnReplacement replacement) {
    List<Expression> applicable = applicable(known, indices);
    boolean canFail = !applicable.stream().allMatch(FilterTerms::cannotFail);
    if (canFail && applicable.size() == conditions.size()) {
      return applicable.stream().map(replacement::in);
    }
    List<Expression> selective =
        applicable.stream().filter(FilterTerms::cannotFail).filter(this::isSelective).toList();
    Stream<Expression> moved =
        selective.stream()
            .filter(condition -> !isInBounds(condition, known, indices))
            .map(replacement::in);
    return Stream.concat(moved, bounds(selective, known, indices));
  }

  /** Returns the conditions on {@code known} columns whose type holds every index in bounds. */
  private List<Expression> applicable(List<Attribute> known, List<Attribute> indices) {
    List<Attribute> usable =
        IntStream.range(0, known.size())
            .filter(
                d ->
                    known.get(d).dataType().equals(indices.get(d).dataType())
                        || shape.dim(d) - 1 <= InternalRows.largestInteger(known.get(d).dataType()))
            .mapToObj(known::get)
            .toList();
    var found = ScalaSeqs.set(ScalaSeqs.of(usable));
    return conditions.stream().filter(condition -> condition.references().subsetOf(found)).toList();
  }

  /** Whether a condition is no comparison, or comparisons keep few enough of a dimension. */
  private boolean isSelective(Expression condition) {
    return !(condition instanceof IsNotNull)
        && IntStream.range(0, columns.size())
            .noneMatch(
                d ->
                    IndexBounds.isComparison(condition, columns.get(d))
                        && IndexBounds.of(conditions, columns.get(d), shape.dim(d)).count()
                            > MOST * shape.dim(d));
  }

  /** Whether {@link #bounds} say the same as a condition. */
  private static boolean isInBounds(
      Expression condition, List<Attribute> known, List<Attribute> indices) {
    return IntStream.range(0, known.size())
        .anyMatch(
            d ->
                !known.get(d).dataType().equals(indices.get(d).dataType())
                    && IndexBounds.isComparison(condition, known.get(d)));
  }

  /**
   * Returns the bounds of columns that have another type in the table, where a cast would hide them
   * from a scan.
   */
  private Stream<Expression> bounds(
      List<Expression> applicable, List<Attribute> known, List<Attribute> indices) {
    return IntStream.range(0, known.size())
        .filter(d -> !known.get(d).dataType().equals(indices.get(d).dataType()))
        .boxed()
        .flatMap(d -> bounds(applicable, d, known.get(d), indices.get(d)));
  }

  private Stream<Expression> bounds(
      List<Expression> applicable, int d, Attribute known, Attribute index) {
    IndexBounds bounds = IndexBounds.of(applicable, known, shape.dim(d));
    if (bounds.isAll(shape.dim(d))
        || shape.dim(d) - 1 > InternalRows.largestInteger(index.dataType())) {
      return Stream.empty();
    }
    return Stream.of(
        new And(
            new GreaterThanOrEqual(index, literal(bounds.first(), index.dataType())),
            new LessThanOrEqual(index, literal(bounds.last(), index.dataType()))));
  }

  /** Returns the index columns of the table in the types that they have in the result. */
  private List<Expression> asKnown(List<Attribute> indices, int depth) {
    List<Expression> cast = new ArrayList<>();
    for (int d = 0; d < depth; d++) {
      Attribute index = indices.get(d);
      DataType type = columns.get(d).dataType();
      cast.add(
          index.dataType().equals(type)
              ? index
              : Cast$.MODULE$.apply(index, type, Option.empty(), false));
    }
    return cast;
  }

  /** Returns the condition that an index is null or outside the shape. */
  private Expression outside(List<Attribute> indices) {
    List<Expression> terms = new ArrayList<>();
    for (int d = 0; d < indices.size(); d++) {
      Attribute index = indices.get(d);
      terms.add(new IsNull(index));
      terms.add(new LessThan(index, literal(0, index.dataType())));
      end(d, index).ifPresent(terms::add);
    }
    return terms.stream().reduce(Or::new).orElse(Literal.FalseLiteral());
  }

  /** Returns the condition that an index is above the last one; empty if its type has no such. */
  private Optional<Expression> end(int d, Attribute index) {
    return shape.dim(d) > InternalRows.largestInteger(index.dataType())
        ? Optional.empty()
        : Optional.of(new GreaterThanOrEqual(index, literal(shape.dim(d), index.dataType())));
  }

  private static Literal literal(long value, DataType type) {
    Object boxed = value;
    if (type.equals(DataTypes.ByteType)) {
      boxed = (byte) value;
    } else if (type.equals(DataTypes.ShortType)) {
      boxed = (short) value;
    } else if (type.equals(DataTypes.IntegerType)) {
      boxed = (int) value;
    }
    return new Literal(boxed, type);
  }
}
