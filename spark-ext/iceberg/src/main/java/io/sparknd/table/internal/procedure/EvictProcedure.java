/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.procedure;

import io.sparknd.sql.internal.procedure.ProcedureCall;
import io.sparknd.sql.internal.procedure.TensorProcedure;
import io.sparknd.sql.internal.procedure.TensorProcedure.Output;
import io.sparknd.sql.internal.procedure.TensorProcedureParameter;
import io.sparknd.table.FeatureTable;
import io.sparknd.table.result.TableCommit;
import java.time.Instant;
import java.util.Optional;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.functions;

/** The procedure {@code evict}: deletes rows of a feature table. */
final class EvictProcedure extends TensorProcedure {
  EvictProcedure() {
    super(
        "evict",
        "evicts rows of a feature table: their variables have the fill value again",
        TensorProcedureParameter.TABLE,
        TensorProcedureParameter.string(
            "where", "condition of the rows; default: those whose time to live ended"),
        TensorProcedureParameter.string(
            "batch_id", "idempotency key: a batch with this id is applied only once"));
  }

  @Override
  protected Output run(SparkSession spark, ProcedureCall call) {
    String name = call.required("table");
    FeatureTable table = FeatureTable.open(spark, name);
    Optional<Column> where = call.string("where").map(functions::expr);
    TableCommit commit = evict(table, where, call.string("batch_id"));
    return CommitRows.show(spark, name, table.name(), commit);
  }

  private static TableCommit evict(
      FeatureTable table, Optional<Column> where, Optional<String> batch) {
    if (where.isPresent()) {
      return batch.isPresent() ? table.evict(where.get(), batch.get()) : table.evict(where.get());
    }
    Instant now = Instant.now();
    return batch.isPresent() ? table.evictExpired(now, batch.get()) : table.evictExpired(now);
  }
}
