/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.procedure;

import static org.apache.spark.sql.functions.lit;

import io.sparknd.cluster.internal.spark.ColumnNameMatcher;
import io.sparknd.cluster.internal.spark.SqlNames;
import io.sparknd.sql.internal.SqlErrors;
import io.sparknd.sql.internal.plan.DatasetQueries;
import io.sparknd.sql.internal.plan.TableTensorInfo;
import io.sparknd.sql.internal.plan.TensorOptions;
import io.sparknd.sql.internal.procedure.ProcedureCall;
import io.sparknd.sql.internal.procedure.TensorProcedureParameter;
import io.sparknd.table.FeatureTable;
import io.sparknd.table.internal.FeatureErrors;
import io.sparknd.table.internal.adoption.SliceConditions;
import io.sparknd.table.internal.opened.OpenedTable;
import io.sparknd.table.internal.read.TableSnapshot;
import io.sparknd.table.options.ValueLayout;
import io.sparknd.tensor.Shape;
import java.util.List;
import java.util.Optional;
import java.util.function.BiPredicate;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataType;

/**
 * A table in the session's catalogs, read as a tensor. Columns are found by convention or, in a
 * tensor's own table, by table properties.
 *
 * @param rows as any engine reads them
 * @param valueColumns one, or one for each element of a slice
 * @param bytes size of a slice in a binary column; otherwise 0
 * @param stored present if it is a tensor's own table
 */
record ProcedureTable(
    Dataset<Row> rows,
    String elements,
    Shape shape,
    List<String> indexColumns,
    List<String> valueColumns,
    long bytes,
    Optional<TableSnapshot> stored) {

  /** Returns the parameters of procedures that describe a table. */
  static TensorProcedureParameter[] parameters() {
    return new TensorProcedureParameter[] {
      TensorProcedureParameter.TABLE,
      TensorProcedureParameter.shape(
          TensorProcedureParameter.Need.OPTIONAL,
          "shape of the tensor; default: the table property sparknd.shape"),
      TensorProcedureParameter.columns(
          "index_columns", "default: all columns but the value; of a tensor table, its own"),
      TensorProcedureParameter.string(
          "value_column", "default: the last column; of a tensor table, its own")
    };
  }

  /**
   * Opens the table of a call as a tensor.
   *
   * @throws io.sparknd.tensor.SparkNdException if its columns and shape are inconsistent
   */
  static ProcedureTable of(SparkSession spark, ProcedureCall call) {
    String table = call.required("table");
    Dataset<Row> rows = spark.table(table);
    TensorOptions options =
        new TensorOptions(
            call.shape(),
            Optional.empty(),
            call.columns("index_columns"),
            call.string("value_column"),
            List.of());
    return DatasetQueries.relation(table, rows)
        .filter(TableSnapshot.class::isInstance)
        .map(TableSnapshot.class::cast)
        .map(stored -> of(stored, rows, options))
        .orElseGet(() -> of(DatasetQueries.tensor(table, rows, options), rows));
  }

  /**
   * Opens the table of a call if it is a feature table.
   *
   * @throws io.sparknd.tensor.SparkNdException if the call says which shape or columns a feature
   *     table has
   */
  static Optional<FeatureTable> features(SparkSession spark, ProcedureCall call) {
    Optional<FeatureTable> found = OpenedTable.features(spark, call.required("table"));
    found.ifPresent(
        table -> {
          refuse("shape", call.shape(), table);
          refuse("index_columns", call.columns("index_columns"), table);
          refuse("value_column", call.string("value_column"), table);
        });
    return found;
  }

  private static void refuse(String argument, Optional<?> given, FeatureTable table) {
    if (given.isPresent()) {
      throw FeatureErrors.tensorArgument(argument, given.get().toString(), table.name());
    }
  }

  private static ProcedureTable of(TableTensorInfo found, Dataset<Row> rows) {
    return new ProcedureTable(
        rows,
        found.elementType(),
        found.shape(),
        found.indexColumns(),
        List.of(found.valueColumn()),
        0,
        Optional.empty());
  }

  private static ProcedureTable of(
      TableSnapshot stored, Dataset<Row> rows, TensorOptions requested) {
    Shape shape = stored.shape();
    require("shape", requested.shape(), stored, shape, Shape::equals);
    ColumnNameMatcher names = ColumnNameMatcher.in(rows);
    require(
        "index_columns", requested.indexColumns(), stored, stored.indexColumns(), names::areSame);
    require(
        "value_column",
        requested.valueColumn(),
        stored,
        String.join(", ", stored.valueColumns()),
        names::areSame);
    long bytes =
        stored.layout() == ValueLayout.BINARY
            ? shape.from(stored.indexColumns().size()).elements() * stored.dtype().bytes()
            : 0;
    return new ProcedureTable(
        rows,
        stored.dtype().toString(),
        shape,
        stored.indexColumns(),
        stored.valueColumns(),
        bytes,
        Optional.of(stored));
  }

  private static <T> void require(
      String option, Optional<T> requested, TableSnapshot stored, T has, BiPredicate<T, T> same) {
    if (requested.isPresent() && !same.test(requested.get(), has)) {
      throw SqlErrors.optionContradictsTable(option, requested.get(), stored.toString(), has);
    }
  }

  /** Returns the shape of the index columns, {@code shape[:k]}. */
  Shape outer() {
    return shape.first(indexColumns.size());
  }

  private Shape slice() {
    return shape.from(indexColumns.size());
  }

  /** Returns a condition: whether a row has a complete slice. */
  Column isWhole() {
    Column all = lit(true);
    for (String column : valueColumns) {
      DataType type = rows.schema().apply(column).dataType();
      all = all.and(SliceConditions.isWhole(SqlNames.column(column), type, slice(), bytes));
    }
    return all;
  }
}
