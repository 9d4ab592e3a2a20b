/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.sql.internal.plan;

import io.sparknd.cluster.internal.spark.ScalaSeqs;
import io.sparknd.sql.internal.SqlErrors;
import io.sparknd.sql.internal.plan.SliceOrdinals.ValueFound;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.spark.sql.catalyst.catalog.HiveTableRelation;
import org.apache.spark.sql.catalyst.expressions.Alias;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Cast;
import org.apache.spark.sql.catalyst.expressions.Coalesce;
import org.apache.spark.sql.catalyst.expressions.ExprId;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.expressions.objects.Invoke;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.Project;
import org.apache.spark.sql.catalyst.plans.logical.View;
import org.apache.spark.sql.connector.expressions.Transform;
import org.apache.spark.sql.execution.datasources.HadoopFsRelation;
import org.apache.spark.sql.execution.datasources.LogicalRelation;
import org.apache.spark.sql.execution.datasources.v2.DataSourceV2Relation;
import org.apache.spark.sql.execution.datasources.v2.DataSourceV2ScanRelation;
import org.jspecify.annotations.Nullable;

/**
 * Finds the columns of a query that are partition columns of its tables, including through views.
 */
final class PartitionColumns {
  private final Set<ExprId> found = new HashSet<>();

  private PartitionColumns() {}

  static Set<ExprId> of(LogicalPlan plan) {
    PartitionColumns columns = new PartitionColumns();
    columns.add(plan);
    return columns.found;
  }

  /**
   * Rejects value columns that were found by position but are partition columns. The plans must be
   * optimized: only then do they show which tables a common table expression ({@code WITH}) reads.
   *
   * @throws io.sparknd.tensor.SparkNdException if there is such a value column
   */
  static void rejectAsValues(TensorQuery query) {
    TensorOperation operation = query.operation();
    operation
        .sliceTables()
        .forEach(
            (place, columns) -> {
              if (columns.valueFound() == ValueFound.BY_POSITION) {
                rejectAsValue(
                    query.tables().get(place), columns.value(), operation.argument(place));
              }
            });
  }

  private static void rejectAsValue(LogicalPlan table, int ordinal, String name) {
    List<Attribute> columns = ScalaSeqs.list(table.output());
    Attribute value = columns.get(ordinal);
    if (of(table).contains(value.exprId())) {
      List<String> names = columns.stream().map(Attribute::name).toList();
      throw SqlErrors.valueIsPartitionColumn(value.name(), name, names.toString());
    }
  }

  /**
   * Collects partition columns bottom-up, since projections that cast (as views do) assign new ids.
   */
  private void add(LogicalPlan plan) {
    List<LogicalPlan> children = ScalaSeqs.list(plan.children());
    children.forEach(this::add);
    if (plan instanceof LogicalRelation relation
        && relation.relation() instanceof HadoopFsRelation files) {
      add(relation, List.of(files.partitionSchema().fieldNames()));
    } else if (plan instanceof HiveTableRelation relation) {
      add(relation, ScalaSeqs.list(relation.tableMeta().partitionColumnNames()));
    } else if (plan instanceof DataSourceV2Relation relation) {
      add(relation, identities(relation.table().partitioning()));
    } else if (plan instanceof DataSourceV2ScanRelation scan) {
      add(scan, identities(scan.relation().table().partitioning()));
    } else if (plan instanceof Project project) {
      ScalaSeqs.<NamedExpression>list(project.projectList()).forEach(this::addShown);
    } else if (plan instanceof View) {
      addByPlace(children.get(0), plan);
    }
  }

  private void add(LogicalPlan relation, List<String> names) {
    ScalaSeqs.<Attribute>list(relation.output()).stream()
        .filter(column -> names.contains(column.name()))
        .forEach(column -> found.add(column.exprId()));
  }

  /** Returns the source columns of identity transforms. */
  private static List<String> identities(Transform[] partitioning) {
    return Arrays.stream(partitioning)
        .filter(transform -> transform.name().equals("identity"))
        .map(transform -> String.join(".", transform.references()[0].fieldNames()))
        .toList();
  }

  private void addShown(NamedExpression shown) {
    if (shown instanceof Alias alias && found.contains(origin(alias.child()))) {
      found.add(alias.exprId());
    }
  }

  private static @Nullable ExprId origin(Expression shown) {
    if (shown instanceof Cast cast) {
      return origin(cast.child());
    }
    if (shown instanceof Coalesce nulls && isEncoded(nulls.children().head())) {
      return origin(nulls.children().head());
    }
    if (shown instanceof Invoke encoded && isEncoded(shown)) {
      return origin(encoded.arguments().head());
    }
    return shown instanceof Attribute column ? column.exprId() : null;
  }

  /** Whether a call encodes the values of a column; the user's own expressions are other values. */
  private static boolean isEncoded(Expression shown) {
    return shown instanceof Invoke invoke
        && invoke.targetObject() instanceof Literal function
        && (function.value() instanceof MovedSliceEncoder
            || function.value() instanceof DecimalSliceEncoder);
  }

  private void addByPlace(LogicalPlan from, LogicalPlan to) {
    List<Attribute> inner = ScalaSeqs.list(from.output());
    List<Attribute> outer = ScalaSeqs.list(to.output());
    for (int i = 0; i < Math.min(inner.size(), outer.size()); i++) {
      if (found.contains(inner.get(i).exprId())) {
        found.add(outer.get(i).exprId());
      }
    }
  }
}
