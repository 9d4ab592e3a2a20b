/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.sql.internal.plan;

import io.sparknd.cluster.internal.spark.ClassicSpark;
import io.sparknd.cluster.internal.spark.SparkVersion;
import io.sparknd.cluster.options.TensorColumns;
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
import org.apache.spark.sql.types.DataType;

/** Table functions called on Datasets. */
public final class DatasetQueries {
  private DatasetQueries() {}

  /**
   * Returns a Dataset as an argument of a table function.
   *
   * @param name of the argument, for messages
   */
  public static TableArgument table(String name, Dataset<Row> rows) {
    SparkVersion.check();
    return new TableArgument(name, ClassicSpark.of(rows).queryExecution().analyzed());
  }

  private static TableArgument whole(String name, Dataset<Row> rows) {
    return table(name, rows).requireWhole();
  }

  /**
   * Returns the stored tensor whose table {@code rows} reads unchanged; empty for any other
   * Dataset.
   */
  public static Optional<TensorRelation> relation(String name, Dataset<Row> rows) {
    return TensorRelations.of(whole(name, rows));
  }

  /**
   * Returns the rows of a table, a view or a query.
   *
   * @param text a table or view name, or the text of a query
   */
  public static Dataset<Row> rows(SparkSession spark, String text) {
    return isName(text) ? spark.table(text) : query(spark, text);
  }

  /** Requires the text to parse both alone and in parentheses, so that it is exactly one query. */
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
   * Finds the columns of a table of updates by name.
   *
   * @param tensor column names of the tensor's own table
   * @throws io.sparknd.tensor.SparkNdException if columns that {@code options} name, or that a
   *     tensor needs, are missing
   */
  public static TensorColumns columns(
      String name, Dataset<Row> rows, TensorOptions options, TensorNames tensor) {
    SliceOrdinals columns = ColumnResolver.ofUpdates(whole(name, rows), options, tensor);
    String[] names = rows.columns();
    return new TensorColumns(
        columns.indices().stream().map(i -> names[i]).toList(),
        names[columns.value()],
        columns.orderBy().stream().map(i -> names[i]).toList());
  }

  /**
   * Describes a table as a tensor.
   *
   * @throws io.sparknd.tensor.SparkNdException if columns and options are inconsistent
   */
  public static TableTensorInfo tensor(String name, Dataset<Row> rows, TensorOptions options) {
    TableArgument table = whole(name, rows);
    SliceOrdinals columns = SliceOrdinals.of(table, options);
    Shape whole = SliceOrdinals.shape(table, options);
    String elements = elements(table, columns, options, whole);
    List<String> names = table.columns().stream().map(Attribute::name).toList();
    return new TableTensorInfo(
        elements,
        whole,
        columns.indices().stream().map(names::get).toList(),
        names.get(columns.value()));
  }

  private static String elements(
      TableArgument table, SliceOrdinals columns, TensorOptions options, Shape shape) {
    ValueEncoding values = ValueEncoding.ofGather(table, columns, options, () -> shape);
    if (values instanceof ValueEncoding.Plain) {
      DType dtype = columns.dtype(table, options);
      columns.requireSlices(table, dtype, shape);
      return dtype.toString();
    }
    DataType type = EncodedColumn.element(table, columns);
    return EncodedColumn.of(table, columns, type, shape).type().simpleString();
  }

  /**
   * Returns the rows of a query as a lazy Dataset.
   *
   * @param first one of the Datasets that it reads; its session, which need not be the active one,
   *     decides the case sensitivity of names
   */
  public static Dataset<Row> of(Supplier<LogicalPlan> query, Dataset<Row> first) {
    var session = ClassicSpark.of(first).sparkSession();
    return session.withActive(
        () -> org.apache.spark.sql.classic.Dataset.ofRows(session, query.get()));
  }
}
