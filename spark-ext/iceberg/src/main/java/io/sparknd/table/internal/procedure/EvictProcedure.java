/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.procedure;

import io.sparknd.sql.internal.procedure.ProcedureCall;
import io.sparknd.sql.internal.procedure.TensorProcedure;
import io.sparknd.sql.internal.procedure.TensorProcedure.Output;
import io.sparknd.sql.internal.procedure.TensorProcedureParameter;
import io.sparknd.table.EvictionWrite;
import io.sparknd.table.FeatureTable;
import io.sparknd.table.result.TableCommit;
import java.time.Instant;
import java.util.Optional;
import org.apache.spark.sql.SparkSession;

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
            "batch_id", "idempotency key: a batch with this id is applied only once"),
        TensorProcedureParameter.time(
            "valid_at",
            "time from which the rows are gone, for gathers as of a time; without where, also the "
                + "time by which their time to live ended; default: that of the commit"));
  }

  @Override
  protected Output run(SparkSession spark, ProcedureCall call) {
    String name = call.required("table");
    FeatureTable table = FeatureTable.open(spark, name);
    EvictionWrite eviction = table.eviction();
    Optional<String> batch = call.string("batch_id");
    eviction = batch.isPresent() ? eviction.batchId(batch.get()) : eviction;
    Optional<Instant> time = call.time("valid_at");
    eviction = time.isPresent() ? eviction.validAt(time.get()) : eviction;
    Optional<String> where = call.string("where");
    TableCommit commit = where.isPresent() ? eviction.evict(where.get()) : eviction.evictExpired();
    return CommitRows.show(spark, name, table.name(), commit);
  }
}
