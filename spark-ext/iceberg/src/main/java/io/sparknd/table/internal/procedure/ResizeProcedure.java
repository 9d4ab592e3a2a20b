/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.procedure;

import io.sparknd.sql.internal.SqlErrors;
import io.sparknd.sql.internal.procedure.ProcedureCall;
import io.sparknd.sql.internal.procedure.TensorProcedure;
import io.sparknd.sql.internal.procedure.TensorProcedure.Output;
import io.sparknd.sql.internal.procedure.TensorProcedureParameter;
import io.sparknd.table.internal.opened.OpenedTable;
import io.sparknd.table.internal.store.NumberedAxis;
import java.util.List;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.StructType;

/**
 * The procedure {@code resize}: changes the first dimension of a tensor, or the size of a feature
 * table's numbered axis.
 */
final class ResizeProcedure extends TensorProcedure {
  private static final StructType SCHEMA =
      StructType.fromDDL("table string, size_before bigint, size bigint");

  ResizeProcedure() {
    super(
        "resize",
        "changes the first dimension of a tensor table, or the size of a feature table",
        TensorProcedureParameter.TABLE,
        TensorProcedureParameter.integer(
            "size",
            TensorProcedureParameter.Need.REQUIRED,
            "new number of entries; no row may be stored at or beyond it"));
  }

  @Override
  protected Output run(SparkSession spark, ProcedureCall call) {
    String name = call.required("table");
    long size = call.integer("size").orElseThrow(() -> SqlErrors.argumentMissing(name(), "size"));
    OpenedTable table = OpenedTable.open(spark, name);
    long before = NumberedAxis.of(table.iceberg().properties()).map(NumberedAxis::size).orElse(0L);
    table.resize(size);
    spark.catalog().refreshTable(table.name());
    return new Output(SCHEMA, List.of(RowFactory.create(table.name(), before, size)));
  }
}
