/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.sql.internal.plan;

import io.sparknd.cluster.internal.rows.RowColumns;
import io.sparknd.cluster.internal.spark.ColumnNameMatcher;
import io.sparknd.cluster.internal.spark.ScalaSeqs;
import io.sparknd.cluster.internal.spark.SparkErrors;
import io.sparknd.sql.internal.SqlErrors;
import io.sparknd.tensor.Shape;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.TableIdentifier;
import org.apache.spark.sql.catalyst.catalog.CatalogTable;
import org.apache.spark.sql.catalyst.catalog.HiveTableRelation;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.SubqueryAlias;
import org.apache.spark.sql.catalyst.plans.logical.View;
import org.apache.spark.sql.catalyst.util.QuotingUtils;
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

  private static final String SESSION_CATALOG = "spark_catalog";

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
   * Returns the ordinals of columns that order rows.
   *
   * @throws io.sparknd.tensor.SparkNdException if a column is missing, or its type has no order
   */
  List<Integer> orderedBy(List<String> columns) {
    return columns.stream().map(this::orderOrdinal).toList();
  }

  private int orderOrdinal(String column) {
    int ordinal = ordinal(column);
    RowColumns.requireOrder(column, columns().get(ordinal).dataType());
    return ordinal;
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
    return properties(plan).map(each -> each.get(SHAPE_PROPERTY)).map(Shape::parse);
  }

  /** Returns whether the argument is a table or view, which has properties, and no query. */
  boolean hasProperties() {
    return properties(plan).isPresent();
  }

  private static Optional<Map<String, String>> properties(LogicalPlan plan) {
    if (plan instanceof SubqueryAlias alias) {
      return properties(alias.child());
    }
    if (plan instanceof View view) {
      Optional<Map<String, String>> own =
          Optional.of(view).filter(each -> !each.isTempView()).map(each -> properties(each.desc()));
      boolean hasShape = own.filter(each -> each.containsKey(SHAPE_PROPERTY)).isPresent();
      return hasShape ? own : properties(view.child()).or(() -> own);
    }
    if (plan instanceof LogicalRelation relation) {
      return OptionConverters.toJava(relation.catalogTable()).map(TableArgument::ofCatalog);
    }
    if (plan instanceof HiveTableRelation relation) {
      return Optional.of(properties(relation.tableMeta()));
    }
    return plan instanceof DataSourceV2Relation relation
        ? Optional.of(relation.table().properties())
        : Optional.empty();
  }

  /**
   * Returns the properties of a table, or those that its catalog shows: Delta keeps them with the
   * table's log, and not in the metastore.
   */
  private static Map<String, String> ofCatalog(CatalogTable table) {
    Map<String, String> own = properties(table);
    return own.containsKey(SHAPE_PROPERTY) ? own : shown(table.identifier()).orElse(own);
  }

  /** Returns the properties of a table in a catalog that is not Spark's own. */
  private static Optional<Map<String, String>> shown(TableIdentifier table) {
    SparkSession spark = SparkSession.active();
    String catalog = table.catalog().getOrElse(() -> SESSION_CATALOG);
    boolean isSparks = spark.conf().getOption("spark.sql.catalog." + catalog).isEmpty();
    if (isSparks || table.database().isEmpty()) {
      return Optional.empty();
    }
    String name =
        Stream.of(catalog, table.database().get(), table.table())
            .map(QuotingUtils::quoteIdentifier)
            .collect(Collectors.joining("."));
    try {
      // the catalog manager is another kind of class in Spark 4.2
      return Optional.of(
          spark.sql("SHOW TBLPROPERTIES " + name).collectAsList().stream()
              .collect(Collectors.toMap(row -> row.getString(0), row -> row.getString(1))));
    } catch (Exception e) { // an AnalysisException: a catalog of others may not know the name
      return Optional.empty();
    }
  }

  private static Map<String, String> properties(CatalogTable table) {
    return CollectionConverters.asJava(table.properties());
  }
}
