/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.procedure;

import io.sparknd.sql.internal.procedure.ProcedureCall;
import io.sparknd.sql.internal.procedure.TensorProcedure;
import io.sparknd.sql.internal.procedure.TensorProcedure.Output;
import io.sparknd.sql.internal.procedure.TensorProcedureParameter;
import io.sparknd.table.internal.opened.OpenedTable;
import org.apache.spark.sql.SparkSession;

/**
 * The procedure {@code compact}: rewrites blocks that have several files or deleted rows as one
 * file.
 */
final class CompactProcedure extends TensorProcedure {
  CompactProcedure() {
    super(
        "compact",
        "compacts a tensor table or feature table: one data file for each block",
        TensorProcedureParameter.TABLE);
  }

  @Override
  protected Output run(SparkSession spark, ProcedureCall call) {
    String name = call.required("table");
    OpenedTable opened = OpenedTable.open(spark, name);
    return CommitRows.show(spark, name, opened.name(), opened.compact());
  }
}
