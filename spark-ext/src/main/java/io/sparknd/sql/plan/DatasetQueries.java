/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.sql.plan;

import io.sparknd.cluster.spark.Classic;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.types.DecimalType;

/** Table functions called on Datasets. */
public final class DatasetQueries {
  private DatasetQueries() {}

  /**
   * @param name of the argument, for messages
   */
  public static TableArgument table(String name, Dataset<Row> rows) {
    return new TableArgument(name, Classic.of(rows).queryExecution().analyzed());
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
   * The rows of {@code query}, computed when they are used.
   *
   * @param first one of the Datasets that it reads
   */
  public static Dataset<Row> of(LogicalPlan query, Dataset<Row> first) {
    return org.apache.spark.sql.classic.Dataset.ofRows(Classic.of(first).sparkSession(), query);
  }
}
