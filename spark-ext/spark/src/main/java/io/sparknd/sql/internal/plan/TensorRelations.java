/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.sql.internal.plan;

import io.sparknd.cluster.internal.spark.ScalaSeqs;
import io.sparknd.sql.internal.SqlErrors;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.function.Predicate;
import org.apache.spark.sql.catalyst.expressions.Alias;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Cast;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.plans.logical.Filter;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.Project;
import org.apache.spark.sql.catalyst.plans.logical.SubqueryAlias;
import org.apache.spark.sql.catalyst.plans.logical.View;
import org.apache.spark.sql.execution.datasources.v2.DataSourceV2Relation;

/**
 * Recognizes arguments that are the whole table of a stored tensor, or of variables by keys, which
 * is then read block by block.
 */
final class TensorRelations {
  private static final List<TensorRelationProvider> PROVIDERS =
      ServiceLoader.load(TensorRelationProvider.class, TensorRelations.class.getClassLoader())
          .stream()
          .map(ServiceLoader.Provider::get)
          .toList();

  private TensorRelations() {}

  /**
   * Returns the stored tensor whose table {@code argument} reads: by name, at a snapshot or time,
   * through a view, or by {@code SELECT *}. Empty for other tables, and for queries that change
   * rows or columns.
   *
   * @throws io.sparknd.tensor.SparkNdException if the table is no longer partitioned as its tensor
   */
  static Optional<TensorRelation> of(TableArgument argument) {
    return relation(argument).flatMap(TensorRelations::tensor);
  }

  /** Returns the table that {@code argument} reads, under the conditions of {@link #of}. */
  static Optional<DataSourceV2Relation> relation(TableArgument argument) {
    return below(argument.plan(), TensorRelations::isBare);
  }

  private static Optional<TensorRelation> tensor(DataSourceV2Relation relation) {
    return PROVIDERS.stream().flatMap(each -> each.tensor(relation).stream()).findFirst();
  }

  /**
   * Returns another version of a tensor.
   *
   * @throws io.sparknd.tensor.SparkNdException if the table has become another tensor
   */
  static TensorRelation at(DataSourceV2Relation version, TensorRelation before) {
    return tensor(version)
        .filter(
            now ->
                now.dtype() == before.dtype()
                    && now.shape().rank() == before.shape().rank()
                    && now.schema().equals(before.schema()))
        .orElseThrow(() -> SqlErrors.tableChanged(before.toString()));
  }

  /**
   * Returns another version of a table of variables by keys.
   *
   * @throws io.sparknd.tensor.SparkNdException if the table has other keys
   */
  static KeyedRelation at(DataSourceV2Relation version, KeyedRelation before) {
    return keyed(version)
        .or(() -> keyedByIndex(version))
        .filter(now -> now.keys().equals(before.keys()))
        .orElseThrow(() -> SqlErrors.tableChanged(before.table()));
  }

  /**
   * Returns the table of variables by keys that {@code argument} reads, under the conditions of
   * {@link #of}.
   *
   * @throws io.sparknd.tensor.SparkNdException if the table is no longer partitioned by its keys
   */
  static Optional<KeyedRelation> keyed(TableArgument argument) {
    return relation(argument).flatMap(TensorRelations::keyed);
  }

  /**
   * Returns the table with a history that {@code argument} reads, under the conditions of {@link
   * #of}: one of variables by keys, or a tensor's, by its index columns.
   *
   * @throws io.sparknd.tensor.SparkNdException if the table is no longer partitioned by its keys or
   *     as its tensor
   */
  static Optional<KeyedRelation> keyedOrByIndex(TableArgument argument) {
    return relation(argument).flatMap(table -> keyed(table).or(() -> keyedByIndex(table)));
  }

  private static Optional<KeyedRelation> keyedByIndex(DataSourceV2Relation relation) {
    return PROVIDERS.stream().flatMap(each -> each.keyedByIndex(relation).stream()).findFirst();
  }

  /**
   * Returns the table of variables by keys of whose rows {@code argument} is a query, which has no
   * keys; for messages.
   */
  static Optional<KeyedRelation> keyedUnder(TableArgument argument) {
    return below(argument.plan(), plan -> plan.children().size() == 1)
        .flatMap(TensorRelations::keyed);
  }

  private static Optional<KeyedRelation> keyed(DataSourceV2Relation relation) {
    return PROVIDERS.stream().flatMap(each -> each.keyed(relation).stream()).findFirst();
  }

  private static Optional<DataSourceV2Relation> below(
      LogicalPlan from, Predicate<LogicalPlan> isPassed) {
    LogicalPlan plan = from;
    while (isPassed.test(plan)) {
      plan = ScalaSeqs.list(plan.children()).get(0);
    }
    return plan instanceof DataSourceV2Relation relation ? Optional.of(relation) : Optional.empty();
  }

  /** Whether the node returns the rows and columns of its only child unchanged. */
  private static boolean isBare(LogicalPlan plan) {
    return plan instanceof SubqueryAlias
        || plan instanceof View
        || plan instanceof Filter filter && filter.condition().equals(Literal.TrueLiteral())
        || plan instanceof Project project && keepsColumns(project);
  }

  private static boolean keepsColumns(Project project) {
    List<NamedExpression> shown = ScalaSeqs.list(project.projectList());
    List<Attribute> columns = ScalaSeqs.list(project.child().output());
    boolean keeps = shown.size() == columns.size();
    for (int i = 0; keeps && i < columns.size(); i++) {
      keeps =
          shown.get(i).name().equals(columns.get(i).name())
              && same((Expression) shown.get(i), columns.get(i));
    }
    return keeps;
  }

  private static boolean same(Expression shown, Attribute column) {
    if (shown instanceof Alias alias) {
      return same(alias.child(), column);
    }
    if (shown instanceof Cast cast) {
      return cast.dataType().equals(column.dataType()) && same(cast.child(), column);
    }
    return shown instanceof Attribute attribute && attribute.exprId().equals(column.exprId());
  }
}
