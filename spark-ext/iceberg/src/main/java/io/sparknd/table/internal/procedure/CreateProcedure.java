/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.procedure;

import io.sparknd.sql.internal.procedure.ProcedureCall;
import io.sparknd.sql.internal.procedure.TensorProcedure;
import io.sparknd.sql.internal.procedure.TensorProcedure.Output;
import io.sparknd.sql.internal.procedure.TensorProcedureParameter;
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
        TensorArguments.of(
            TensorProcedureParameter.required(
                "table", DataTypes.StringType, "table name, in an Iceberg catalog"),
            TensorProcedureParameter.integer(
                "rows_per_block", "entries of the first dimension per Iceberg partition"),
            TensorProcedureParameter.integer(
                "expected_rows", "expected number of rows, for the choice of the block size")));
  }

  @Override
  protected Output run(SparkSession spark, ProcedureCall call) {
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
