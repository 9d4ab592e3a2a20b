/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.procedure;

import io.sparknd.table.TensorTable;
import io.sparknd.table.result.TableInfo;
import java.util.List;
import java.util.Locale;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/** The procedure {@code adopt_tensor}: makes a tensor's table of an Iceberg table that exists. */
final class AdoptTensorProcedure extends TensorProcedure {
  private static final StructType SCHEMA =
      StructType.fromDDL(
          "table string, dtype string, shape array<bigint>, layout string, rows bigint,"
              + " rows_per_block bigint");

  AdoptTensorProcedure() {
    super(
        "adopt_tensor",
        "makes a tensor's table of an Iceberg table, by its properties only",
        TensorProcedureParameter.TABLE,
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
    TensorTable table =
        TensorTable.adopt(spark, call.required("table"), TensorArguments.spec(call));
    spark.catalog().refreshTable(table.name());
    TableInfo info = table.info();
    return new Output(
        SCHEMA,
        List.of(
            RowFactory.create(
                info.name(),
                info.dtype().toString(),
                info.shape().dims(),
                info.layout().name().toLowerCase(Locale.ROOT),
                info.rows(),
                info.rowsPerBlock())));
  }
}
