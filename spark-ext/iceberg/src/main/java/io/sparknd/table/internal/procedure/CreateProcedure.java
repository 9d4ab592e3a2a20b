/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.procedure;

import io.sparknd.table.TensorTable;
import io.sparknd.table.options.TensorSpec;
import io.sparknd.table.result.TableInfo;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/**
 * The procedure {@code create_tensor}: creates the table of a tensor whose elements all have the
 * fill value.
 */
final class CreateProcedure extends TensorProcedure {
  private static final StructType SCHEMA =
      StructType.fromDDL(
          "table string, dtype string, shape array<bigint>, layout string,"
              + " index_columns array<string>, value_columns array<string>,"
              + " rows_per_block bigint");

  CreateProcedure() {
    super(
        "create_tensor",
        "creates an Iceberg table for a tensor",
        TensorProcedureParameter.required(
            "table", DataTypes.StringType, "table name, in an Iceberg catalog"),
        TensorProcedureParameter.required(
            "dtype", DataTypes.StringType, "dtype of the elements, such as 'float32'"),
        TensorProcedureParameter.required(
            "shape", DataTypes.createArrayType(DataTypes.LongType), "shape of the tensor"),
        TensorProcedureParameter.string(
            "layout",
            "storage of a slice: 'array' (default), 'binary', or 'columns' (one column for "
                + "each element)"),
        TensorProcedureParameter.columns(
            "index_columns", "column names, outermost dimension first; default i0"),
        TensorProcedureParameter.columns(
            "value_columns", "column name, or several with layout 'columns'; default value"),
        TensorProcedureParameter.integer(
            "index_depth", "number of index columns i0, i1, ...; default 1"),
        TensorProcedureParameter.element(
            "fill", "value of rows never written; default 0, false or ''"),
        TensorProcedureParameter.integer(
            "rows_per_block", "entries of the first dimension per Iceberg partition"),
        TensorProcedureParameter.integer(
            "expected_rows", "expected number of rows, for the choice of the block size"),
        TensorProcedureParameter.optional(
            "properties",
            DataTypes.createMapType(DataTypes.StringType, DataTypes.StringType),
            "further table properties"),
        TensorProcedureParameter.optional(
            "feature_fills",
            DataTypes.createMapType(DataTypes.StringType, DataTypes.StringType),
            "with layout 'columns': fill values of single value columns, by name"));
  }

  @Override
  Output run(SparkSession spark, ProcedureCall call) {
    TensorSpec spec = spec(call);
    TensorTable table = TensorTable.create(spark, call.required("table"), spec);
    TableInfo info = table.info();
    return new Output(
        SCHEMA,
        List.of(
            RowFactory.create(
                info.name(),
                info.dtype().toString(),
                info.shape().dims(),
                info.layout().name().toLowerCase(Locale.ROOT),
                spec.indexColumns().toArray(String[]::new),
                spec.valueColumns().toArray(String[]::new),
                info.rowsPerBlock())));
  }

  private static TensorSpec spec(ProcedureCall call) {
    TensorSpec spec = TensorArguments.spec(call);
    Optional<Long> rowsPerBlock = call.integer("rows_per_block");
    Optional<Long> expectedRows = call.integer("expected_rows");
    TensorSpec sized = rowsPerBlock.isPresent() ? spec.withRowsPerBlock(rowsPerBlock.get()) : spec;
    return expectedRows.isPresent() ? sized.withExpectedRows(expectedRows.get()) : sized;
  }
}
