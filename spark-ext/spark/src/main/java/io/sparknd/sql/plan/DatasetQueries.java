/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.sql.plan;

import io.sparknd.cluster.TensorColumns;
import io.sparknd.cluster.spark.ClassicSpark;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.parser.CatalystSqlParser$;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.execution.SparkSqlParser;
import org.apache.spark.sql.types.DecimalType;

/** Table functions called on Datasets. */
public final class DatasetQueries {
  private DatasetQueries() {}

  /**
   * @param name of the argument, for messages
   */
  public static TableArgument table(String name, Dataset<Row> rows) {
    return new TableArgument(name, ClassicSpark.of(rows).queryExecution().analyzed());
  }

  /** The tensor whose own table {@code rows} are; empty where they are those of another. */
  public static Optional<TensorRelation> kept(String name, Dataset<Row> rows) {
    return TensorRelations.of(table(name, rows));
  }

  /**
   * The rows of a table or view, or of a query.
   *
   * @param text its name, or a statement that begins as queries do
   */
  public static Dataset<Row> rows(SparkSession spark, String text) {
    return isName(text) ? spark.table(text) : query(spark, text);
  }

  /** A statement by itself, and one that stands in brackets: so it is a query, and all of it is. */
  private static Dataset<Row> query(SparkSession spark, String text) {
    new SparkSqlParser().parsePlan(text);
    return spark.sql("SELECT * FROM (\n" + text + "\n)");
  }

  private static boolean isName(String text) {
    try {
      CatalystSqlParser$.MODULE$.parseMultipartIdentifier(text);
      return true;
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Exception e) {
      return false;
    }
  }

  /**
   * The columns of a table of updates, by name.
   *
   * @param tensor what they are called in the tensor's own table
   * @throws io.sparknd.tensor.SparkNdException if there are not those that {@code options} name, or
   *     not those that a tensor needs
   */
  public static TensorColumns columns(
      String name, Dataset<Row> rows, TensorOptions options, TensorNames tensor) {
    SliceTable columns = ColumnsByName.ofUpdates(table(name, rows), options, tensor);
    String[] names = rows.columns();
    return new TensorColumns(
        columns.indices().stream().map(i -> names[i]).toList(),
        names[columns.value()],
        columns.orderBy().stream().map(i -> names[i]).toList());
  }

  /**
   * A table as a tensor.
   *
   * @param shape if it is not the property of the table
   * @throws io.sparknd.tensor.SparkNdException if columns and shape do not go together
   */
  public static TableShape tensor(String name, Dataset<Row> rows, Optional<Shape> shape) {
    TableArgument table = table(name, rows);
    TensorOptions options = shape.map(TensorOptions.NONE::withShape).orElse(TensorOptions.NONE);
    SliceTable columns = SliceTable.of(table, options);
    Shape whole = SliceTable.shape(table, options);
    String elements = elements(table, columns, options, whole);
    List<String> names = table.columns().stream().map(Attribute::name).toList();
    return new TableShape(
        elements,
        whole,
        columns.indices().stream().map(names::get).toList(),
        names.get(columns.value()));
  }

  private static String elements(
      TableArgument table, SliceTable columns, TensorOptions options, Shape shape) {
    Optional<DecimalType> decimal = DecimalColumn.type(table, columns, options);
    if (decimal.isPresent()) {
      DecimalColumn.of(table, columns, decimal.get(), shape);
      return decimal.get().simpleString();
    }
    DType dtype = columns.dtype(table, options);
    columns.requireSlices(table, dtype, shape);
    return dtype.toString();
  }

  /**
   * The rows of a query, computed when they are used.
   *
   * @param first one of the Datasets that it reads: names are compared as its session does, which
   *     need not be the active one
   */
  public static Dataset<Row> of(Supplier<LogicalPlan> query, Dataset<Row> first) {
    var session = ClassicSpark.of(first).sparkSession();
    return session.withActive(
        () -> org.apache.spark.sql.classic.Dataset.ofRows(session, query.get()));
  }
}
