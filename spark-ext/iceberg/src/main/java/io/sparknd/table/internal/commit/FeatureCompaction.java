/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.commit;

import io.sparknd.cluster.internal.spark.ClusterCores;
import io.sparknd.cluster.internal.spark.InterruptedCleanup;
import io.sparknd.cluster.internal.spark.PartitionTasks;
import io.sparknd.cluster.internal.spark.TaskErrors;
import io.sparknd.metrics.SparkNdMetric;
import io.sparknd.table.internal.TableErrors;
import io.sparknd.table.internal.block.BlockResult;
import io.sparknd.table.internal.commit.CommitLoop.CommitId;
import io.sparknd.table.internal.commit.CommitLoop.IfEmpty;
import io.sparknd.table.internal.feature.BucketSpecs;
import io.sparknd.table.internal.feature.FeatureCatalog;
import io.sparknd.table.internal.feature.StoredFeatures;
import io.sparknd.table.internal.keyed.FeatureCompactTask;
import io.sparknd.table.internal.store.BlockFiles;
import io.sparknd.table.internal.store.CommitTarget;
import io.sparknd.table.result.TableCommit;
import io.sparknd.table.result.TableCommit.Outcome;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.util.CollectionAccumulator;
import org.jspecify.annotations.Nullable;

/** Compacts blocks of a feature table into one file for each bucket. */
public final class FeatureCompaction implements BlockRewrite {
  private final SparkSession spark;
  private final JavaSparkContext context;
  private final StoredFeatures table;
  private final CommitTarget target;
  private final CollectionAccumulator<String> written;
  private final CommitId id = new CommitId(UUID.randomUUID().toString(), Optional.empty());

  /**
   * Prepares a compaction.
   *
   * @throws io.sparknd.tensor.SparkNdException if commits are staged
   */
  public FeatureCompaction(SparkSession spark, StoredFeatures table, CommitTarget target) {
    requireNotStaged(table, target);
    this.spark = spark;
    this.context = JavaSparkContext.fromSparkContext(spark.sparkContext());
    this.table = table.toWriteAfter(target.head(table.table()));
    this.target = target;
    this.written = CommitFiles.ofTasks(spark);
  }

  /**
   * Prepares a compaction into more buckets, if those of the table have too many rows. Only their
   * number changes yet.
   *
   * @throws io.sparknd.tensor.SparkNdException if commits are staged; the table does not change
   */
  public static FeatureCompaction intoEnoughBuckets(
      SparkSession spark, StoredFeatures table, CommitTarget target) {
    requireNotStaged(table, target);
    return new FeatureCompaction(
        spark, FeatureCatalog.rebucketed(table, target.head(table.table())), target);
  }

  private static void requireNotStaged(StoredFeatures table, CommitTarget target) {
    if (target.wapId().isPresent()) {
      throw TableErrors.stagedCompaction(table.name(), target.wapId().get());
    }
  }

  /** Runs the job and commits; no value changes. */
  public TableCommit run() {
    return new CommitLog("compaction", table, target, id).run(spark, this::commit);
  }

  private TableCommit commit() {
    table.refresh();
    ShrunkAxis.requireWithin(table, target);
    BlockFilePlan planning = BlockFilePlan.begin(table, target);
    CommitLoop loop =
        new CommitLoop(
            table,
            target,
            id,
            planning,
            this,
            (base, blocks) -> CompactionCommit.update(table, target, id, base, blocks));
    return switch (loop.run(IfEmpty.SKIP)) {
      case COMMITTED -> committed(loop.result(0, 0));
      case OUTDATED ->
          new FeatureCompaction(spark, FeatureCatalog.toWrite(spark, table.name()), target)
              .commit();
      case REPLAYED, NOTHING_TO_DO -> {
        Long head = target.headId(table.table());
        yield TableCommit.none(Outcome.EMPTY, head == null ? -1 : head);
      }
    };
  }

  private static TableCommit committed(TableCommit did) {
    SparkNdMetric.TABLE_COMPACTIONS.add(1);
    SparkNdMetric.TABLE_BYTES.add(did.bytesWritten());
    return did;
  }

  @Override
  public List<BlockResult> run(
      @Nullable Long base, Map<Long, BlockFiles> files, @Nullable Set<Long> only) {
    List<BlockFiles> blocks =
        files.values().stream()
            .filter(block -> needsWork(block) && (only == null || only.contains(block.block())))
            .toList();
    if (blocks.isEmpty()) {
      return List.of();
    }
    Broadcast<StoredFeatures> toTasks = context.broadcast(table.forTasks(spark));
    try {
      FeatureCompactTask task = new FeatureCompactTask(toTasks, id.operation(), written);
      return PartitionTasks.collected(
          context
              .parallelize(blocks, Math.min(blocks.size(), 4 * ClusterCores.of(context.sc())))
              .mapPartitionsWithIndex(task::run, false));
    } catch (Exception e) {
      throw TaskErrors.unwrapped(e);
    } finally {
      InterruptedCleanup.destroy(toTasks);
    }
  }

  /** Returns whether a block has deleted rows, several files of a partition, or an old spec. */
  private boolean needsWork(BlockFiles block) {
    if (block.block() == BucketSpecs.NO_KEYS) {
      return false; // its rows are no features
    }
    long partitions =
        block.files().stream().map(file -> file.data().partition().toString()).distinct().count();
    return block.files().size() > partitions
        || block.files().stream()
            .anyMatch(
                file ->
                    !file.deletes().isEmpty()
                        || file.data().specId() != table.table().spec().specId());
  }

  @Override
  public List<String> written() {
    return List.copyOf(written.value());
  }

  @Override
  public void requireUnchanged(
      Set<Long> blocks, Map<Long, BlockFiles> before, Map<Long, BlockFiles> now) {
    // run() processes them again if they still need compaction
  }
}
