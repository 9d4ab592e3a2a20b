/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.procedure;

import io.sparknd.sql.internal.procedure.ProcedureCall;
import io.sparknd.sql.internal.procedure.TensorProcedure;
import io.sparknd.sql.internal.procedure.TensorProcedure.Output;
import io.sparknd.sql.internal.procedure.TensorProcedureParameter;
import io.sparknd.table.TensorTable;
import io.sparknd.table.result.TableInfo;
import java.util.List;
import java.util.Locale;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.StructType;

/** The procedure {@code adopt_tensor}: makes a tensor table of an Iceberg table that exists. */
final class AdoptTensorProcedure extends TensorProcedure {
  private static final StructType SCHEMA =
      StructType.fromDDL(
          "table string, dtype string, shape array<bigint>, layout string, rows bigint,"
              + " rows_per_block bigint");

  AdoptTensorProcedure() {
    super(
        "adopt_tensor",
        "makes a tensor table of an Iceberg table, by its properties only",
        TensorArguments.of(TensorProcedureParameter.TABLE));
  }

  @Override
  protected Output run(SparkSession spark, ProcedureCall call) {
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
