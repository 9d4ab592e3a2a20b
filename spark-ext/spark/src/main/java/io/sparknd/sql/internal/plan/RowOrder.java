/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.sql.internal.plan;

import io.sparknd.cluster.internal.spark.ScalaSeqs;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.AttributeSet;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.MetadataAttribute$;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.plans.logical.Filter;
import org.apache.spark.sql.catalyst.plans.logical.LocalRelation;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.Project;
import org.apache.spark.sql.catalyst.plans.logical.Range;
import org.apache.spark.sql.execution.columnar.InMemoryRelation;
import org.apache.spark.sql.execution.datasources.CatalogFileIndex;
import org.apache.spark.sql.execution.datasources.FileIndex;
import org.apache.spark.sql.execution.datasources.HadoopFsRelation;
import org.apache.spark.sql.execution.datasources.LogicalRelation;
import org.apache.spark.sql.execution.datasources.PartitioningAwareFileIndex;

/** Tells whether a filter leaves the order of the remaining rows of a plan as it is. */
final class RowOrder {
  private RowOrder() {}

  /**
   * Returns whether the rows that pass a filter on {@code columns} keep their order. If a filter
   * selects files, Spark splits and orders those that remain anew; a join, an aggregation or
   * another source may choose another plan.
   */
  static boolean isKept(LogicalPlan plan, List<Attribute> columns) {
    return isKept(plan, ScalaSeqs.set(ScalaSeqs.of(columns)));
  }

  private static boolean isKept(LogicalPlan plan, AttributeSet columns) {
    if (plan instanceof LogicalRelation relation) {
      return relation.relation() instanceof HadoopFsRelation files
          && selectsByDirectory(files.location())
          && ScalaSeqs.list(columns.toSeq()).stream()
              .noneMatch(column -> tellsFiles(column, relation));
    }
    if (plan instanceof Project project) {
      return areDeterministic(plan) && isKept(project.child(), origins(project, columns));
    }
    return plan instanceof InMemoryRelation
        || plan instanceof LocalRelation
        || plan instanceof Range
        || plan instanceof Filter filter
            && areDeterministic(plan)
            && isKept(filter.child(), columns);
  }

  /**
   * Whether the files of a scan depend only on filters on directories and metadata. The index of
   * another library may select files by statistics of any column.
   */
  private static boolean selectsByDirectory(FileIndex files) {
    return files instanceof PartitioningAwareFileIndex || files instanceof CatalogFileIndex;
  }

  /** Whether a column is one that files are partitioned by, or the name or size of a file. */
  private static boolean tellsFiles(Attribute column, LogicalRelation relation) {
    return PartitionColumns.of(relation).contains(column.exprId())
        || MetadataAttribute$.MODULE$.isValid(column.metadata());
  }

  /** Returns the columns below a projection from which {@code columns} are computed. */
  private static AttributeSet origins(Project project, AttributeSet columns) {
    List<Attribute> origins =
        ScalaSeqs.<NamedExpression>list(project.projectList()).stream()
            .filter(columns::contains)
            .flatMap(shown -> ScalaSeqs.list(((Expression) shown).references().toSeq()).stream())
            .toList();
    return ScalaSeqs.set(ScalaSeqs.of(origins));
  }

  private static boolean areDeterministic(LogicalPlan plan) {
    return ScalaSeqs.list(plan.expressions()).stream().allMatch(Expression::deterministic);
  }
}
