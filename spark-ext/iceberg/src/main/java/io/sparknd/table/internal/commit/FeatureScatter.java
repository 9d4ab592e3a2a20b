/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.commit;

import io.sparknd.cluster.internal.spark.ClusterCores;
import io.sparknd.cluster.internal.spark.QuerySize;
import io.sparknd.table.internal.FeatureErrors;
import io.sparknd.table.internal.block.BlockResult;
import io.sparknd.table.internal.commit.CommitLoop.CommitId;
import io.sparknd.table.internal.commit.CommitLoop.IfEmpty;
import io.sparknd.table.internal.feature.FeatureAxis;
import io.sparknd.table.internal.feature.FeatureCatalog;
import io.sparknd.table.internal.feature.StoredFeatures;
import io.sparknd.table.internal.history.ValidTime;
import io.sparknd.table.internal.keyed.EventTimeLimit;
import io.sparknd.table.internal.keyed.ShuffledRows;
import io.sparknd.table.internal.keyed.StagedFeatures;
import io.sparknd.table.internal.store.CommitTarget;
import io.sparknd.table.internal.store.SnapshotProperties;
import io.sparknd.table.result.TableCommit;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.UUID;
import org.apache.iceberg.SnapshotUpdate;
import org.apache.spark.sql.SparkSession;
import org.jspecify.annotations.Nullable;

/** Applies scatters to a feature table in one commit. */
public final class FeatureScatter {
  /** Bytes of updates that a task holds at once, if Spark's size estimate is correct. */
  private static final long TASK_BYTES = 64L << 20;

  private static final int MAX_TASKS = 1 << 16;

  private final SparkSession spark;
  private final StoredFeatures table;
  private final CommitTarget target;
  private final List<StagedFeatures> updates;
  private final CommitId id;
  private final Optional<Instant> validAt;

  /**
   * Prepares a commit.
   *
   * @param updates one or more scatters, applied in order
   * @param batchId if set, a second commit of the same batch does nothing
   * @param validAt the time of the batch; empty for that of the commit
   */
  public FeatureScatter(
      SparkSession spark,
      StoredFeatures table,
      CommitTarget target,
      List<StagedFeatures> updates,
      Optional<String> batchId,
      Optional<Instant> validAt) {
    this.spark = spark;
    this.table = table.toWriteAfter(target.head(table.table()));
    this.target = target;
    this.updates = updates;
    this.id = new CommitId(UUID.randomUUID().toString(), batchId);
    this.validAt = validAt;
  }

  /**
   * Runs the jobs and commits.
   *
   * @throws io.sparknd.tensor.SparkNdException if the updates do not match the table, or a row is
   *     rejected; in these cases the table does not change
   */
  public TableCommit run() {
    return new CommitLog("scatter", table, target, id).run(spark, this::commit);
  }

  private TableCommit commit() {
    table.refresh();
    OptionalLong earlier = id.replayed(table, target);
    if (earlier.isPresent()) {
      return replayed(earlier.getAsLong());
    }
    ShrunkAxis.requireWithin(table, target);
    BlockFilePlan planning = BlockFilePlan.begin(table, target);
    ShuffledRows rows = ShuffledRows.of(spark, table, updates, EventTimeLimit.of(validAt), tasks());
    FeatureScatterJob job = new FeatureScatterJob(spark, table, rows, id.operation());
    CommitLoop loop = new CommitLoop(table, target, id, planning, job, snapshot(rows));
    return switch (loop.run(id.batch().isEmpty() ? IfEmpty.SKIP : IfEmpty.COMMIT)) {
      case COMMITTED ->
          TableScatter.committed(
              loop.result(loop.updates() + rows.dropped(), rows.dropped() + loop.late()));
      case REPLAYED -> replayed(id.replayed(table, target).getAsLong());
      case NOTHING_TO_DO -> nothingLeft(rows.dropped());
      case OUTDATED -> reopened().commit();
    };
  }

  /** Returns the same scatter into the table with its columns and partitions of now. */
  private FeatureScatter reopened() {
    StoredFeatures now = FeatureCatalog.toWrite(spark, table.name());
    return new FeatureScatter(spark, now, target, updates, id.batch(), validAt);
  }

  /**
   * Returns the result for a batch that the table has.
   *
   * @param snapshot the one that holds it; -1 if it has expired
   * @throws io.sparknd.tensor.SparkNdException if it declares another time than this one
   */
  private TableCommit replayed(long snapshot) {
    OptionalLong first = ValidTime.ofBatch(table.table(), snapshot);
    if (first.isPresent() && validAt.isPresent()) {
      requireSameTime(first.getAsLong(), validAt.get());
    }
    return TableScatter.replayed(snapshot);
  }

  private void requireSameTime(long first, Instant time) {
    if (first != ValidTime.micros(time)) {
      throw FeatureErrors.otherValidAt(
          table.name(), id.batch().orElse(""), ValidTime.instant(first), time);
    }
  }

  private TableCommit nothingLeft(long dropped) {
    return TableScatter.nothingLeft(target.headId(table.table()), dropped, dropped);
  }

  /** Returns the commit of the rows, of which tasks have counted the dropped ones. */
  private SnapshotCommit snapshot(ShuffledRows rows) {
    return (base, blocks) -> update(base, blocks, rows.dropped());
  }

  private SnapshotUpdate<?> update(
      @Nullable Long base, Collection<BlockResult> blocks, long dropped) {
    Map<String, String> summary = new TreeMap<>(BatchIds.summary(table.table(), base));
    summary.put(SnapshotProperties.OPERATION, id.operation());
    long folded = blocks.stream().mapToLong(BlockResult::updates).sum();
    long late = blocks.stream().mapToLong(BlockResult::late).sum();
    summary.putAll(SnapshotProperties.counts(folded + dropped, dropped + late));
    if (late > 0) {
      summary.put(SnapshotProperties.LATE, Long.toString(late));
    }
    summary.put(SnapshotProperties.BLOCKS, Integer.toString(blocks.size()));
    id.batch().ifPresent(batch -> summary.put(SnapshotProperties.BATCH_ID, batch));
    validAt.ifPresent(time -> summary.putAll(ValidTime.summary(table.table(), base, time)));
    return new BlockDelta(table, target, base, blocks, summary, id.batch()).update();
  }

  /** Returns the number of tasks; each processes its blocks sequentially. */
  private int tasks() {
    long bytes = updates.stream().mapToLong(each -> QuerySize.estimate(each.rows())).sum();
    long cores = ClusterCores.of(spark);
    long bySize = Math.min(bytes / TASK_BYTES, MAX_TASKS);
    return (int) Math.max(1, Math.min(blocks(), Math.max(cores, bySize)));
  }

  private long blocks() {
    return table.format().axis() instanceof FeatureAxis.Numbered numbered
        ? -Math.floorDiv(-numbered.size(), numbered.rowsPerBlock())
        : table.blocks();
  }
}
