/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.sql.internal.plan;

import io.sparknd.cluster.internal.spark.ColumnNameMatcher;
import io.sparknd.cluster.internal.spark.ScalaSeqs;
import io.sparknd.cluster.internal.spark.SparkErrors;
import io.sparknd.sql.internal.SqlErrors;
import io.sparknd.tensor.Shape;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import org.apache.spark.sql.catalyst.catalog.CatalogTable;
import org.apache.spark.sql.catalyst.catalog.HiveTableRelation;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.SubqueryAlias;
import org.apache.spark.sql.catalyst.plans.logical.View;
import org.apache.spark.sql.execution.datasources.LogicalRelation;
import org.apache.spark.sql.execution.datasources.v2.DataSourceV2Relation;
import org.apache.spark.sql.internal.SQLConf;
import scala.jdk.javaapi.CollectionConverters;
import scala.jdk.javaapi.OptionConverters;

/**
 * An analyzed table or query passed to a function.
 *
 * @param name of the argument
 */
public record TableArgument(String name, LogicalPlan plan) {
  /** The table property that holds the shape of a tensor, such as {@code 1000000, 64}. */
  static final String SHAPE_PROPERTY = "sparknd.shape";

  /**
   * Returns this table, which the function reads whole.
   *
   * @throws io.sparknd.tensor.SparkNdException if the plan is a stream
   */
  TableArgument requireWhole() {
    if (plan.isStreaming()) {
      throw SqlErrors.streamingTable(name);
    }
    return this;
  }

  List<Attribute> columns() {
    return ScalaSeqs.list(plan.output());
  }

  List<String> columnNames() {
    return columns().stream().map(Attribute::name).toList();
  }

  String names() {
    return columnNames().toString();
  }

  /**
   * Returns the ordinal of a column.
   *
   * @throws io.sparknd.tensor.SparkNdException if there is no such column, or several
   */
  int ordinal(String column) {
    int[] found = IntStream.range(0, columns().size()).filter(i -> isNamed(i, column)).toArray();
    if (found.length == 0) {
      throw SparkErrors.noSuchColumn(column, names() + " of " + name);
    }
    if (found.length > 1) {
      throw SparkErrors.ambiguousColumn(column, names() + " of " + name);
    }
    return found[0];
  }

  /**
   * Returns the ordinal of a column, if it exists.
   *
   * @throws io.sparknd.tensor.SparkNdException if there are several
   */
  OptionalInt find(String column) {
    boolean isThere = IntStream.range(0, columns().size()).anyMatch(i -> isNamed(i, column));
    return isThere ? OptionalInt.of(ordinal(column)) : OptionalInt.empty();
  }

  /** Whether the column has the name, by the session's case sensitivity. */
  boolean isNamed(int ordinal, String column) {
    ColumnNameMatcher session = new ColumnNameMatcher(SQLConf.get().caseSensitiveAnalysis());
    return session.areSame(columns().get(ordinal).name(), column);
  }

  /** Whether the table is partitioned by the column; Spark puts partition columns last. */
  boolean isPartitionColumn(int ordinal) {
    return PartitionColumns.of(plan).contains(columns().get(ordinal).exprId());
  }

  /** Returns the shape in the properties of a table or view; empty if there is none. */
  Optional<Shape> shape() {
    return property(plan).map(Shape::parse);
  }

  private static Optional<String> property(LogicalPlan plan) {
    if (plan instanceof SubqueryAlias alias) {
      return property(alias.child());
    }
    if (plan instanceof View view) {
      return property(view.desc()).or(() -> property(view.child()));
    }
    if (plan instanceof LogicalRelation relation) {
      return OptionConverters.toJava(relation.catalogTable()).flatMap(TableArgument::property);
    }
    if (plan instanceof HiveTableRelation relation) {
      return property(relation.tableMeta());
    }
    return plan instanceof DataSourceV2Relation relation
        ? Optional.ofNullable(relation.table().properties().get(SHAPE_PROPERTY))
        : Optional.empty();
  }

  private static Optional<String> property(CatalogTable table) {
    return Optional.ofNullable(CollectionConverters.asJava(table.properties()).get(SHAPE_PROPERTY));
  }
}
