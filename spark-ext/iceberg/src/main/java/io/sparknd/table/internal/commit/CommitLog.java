/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.commit;

import io.sparknd.cluster.internal.spark.JobDescription;
import io.sparknd.table.internal.commit.CommitLoop.CommitId;
import io.sparknd.table.internal.store.CommitTarget;
import io.sparknd.table.internal.store.StoredTable;
import io.sparknd.table.result.TableCommit;
import io.sparknd.table.result.TableCommit.Outcome;
import java.util.OptionalLong;
import java.util.function.Supplier;
import org.apache.spark.sql.SparkSession;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * Names scatters, evictions and compactions of tables in Spark's UI and in the log.
 *
 * @param call what is called, such as {@code scatter}
 */
record CommitLog(String call, StoredTable table, CommitTarget target, CommitId id) {
  private static final Logger LOG = LoggerFactory.getLogger(CommitLog.class);

  /** Runs a call with its description for Spark's jobs, and logs the result. */
  TableCommit run(SparkSession spark, Supplier<TableCommit> commit) {
    try (JobDescription shown = JobDescription.of(spark.sparkContext(), toString())) {
      TableCommit did = commit.get();
      log(did);
      return did;
    }
  }

  private void log(TableCommit did) {
    OptionalLong emptied =
        did.outcome() == Outcome.REPLAYED
            ? BatchIds.emptiedSince(target.ancestors(table.table()), did.snapshot())
            : OptionalLong.empty();
    LoggingEventBuilder keys =
        LOG.atLevel(emptied.isPresent() ? Level.WARN : Level.INFO)
            .addKeyValue("table_name", table.name())
            .addKeyValue("snapshot_id", did.snapshot())
            .addKeyValue("updates", did.updates())
            .addKeyValue("dropped", did.dropped());
    LoggingEventBuilder line =
        id.batch().map(batch -> keys.addKeyValue("batch_id", batch)).orElse(keys);
    String held = did.snapshot() < 0 ? "an expired snapshot" : "snapshot " + did.snapshot();
    if (emptied.isPresent()) {
      line.log(
          "{} is skipped, {} has the batch, though snapshot {} deleted all rows since: send rows that"
              + " the table is to have again under other batch ids",
          this,
          held,
          emptied.getAsLong());
    } else if (did.outcome() == Outcome.REPLAYED) {
      line.log("{} is skipped, {} has the batch", this, held);
    } else {
      line.log("{}: {}", this, did);
    }
  }

  /** Returns the table, the call and its batch. */
  @Override
  public String toString() {
    return table.name() + ": " + call + id.batch().map(batch -> " of batch " + batch).orElse("");
  }
}
