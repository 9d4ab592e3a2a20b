/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.procedure;

import io.sparknd.table.TensorTable;
import org.apache.spark.sql.SparkSession;

/**
 * The procedure {@code compact}: rewrites blocks that have several files or deleted rows as one
 * file.
 */
final class CompactProcedure extends TensorProcedure {
  CompactProcedure() {
    super(
        "compact",
        "compacts a tensor table: one data file for each block",
        TensorProcedureParameter.TABLE);
  }

  @Override
  Output run(SparkSession spark, ProcedureCall call) {
    String table = call.required("table");
    TensorTable opened = TensorTable.open(spark, table);
    return CommitRows.show(spark, table, opened, opened.compact());
  }
}
