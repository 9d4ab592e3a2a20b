/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.commit;

import io.sparknd.cluster.internal.spark.ClusterCores;
import io.sparknd.cluster.internal.spark.InterruptedCleanup;
import io.sparknd.cluster.internal.spark.PartitionTasks;
import io.sparknd.cluster.internal.spark.TaskErrors;
import io.sparknd.metrics.SparkNdMetric;
import io.sparknd.table.internal.FeatureErrors;
import io.sparknd.table.internal.block.BlockResult;
import io.sparknd.table.internal.commit.CommitLoop.CommitId;
import io.sparknd.table.internal.commit.CommitLoop.IfEmpty;
import io.sparknd.table.internal.feature.FeatureCatalog;
import io.sparknd.table.internal.feature.SnapshotRows;
import io.sparknd.table.internal.feature.StoredFeatures;
import io.sparknd.table.internal.history.ValidTime;
import io.sparknd.table.internal.keyed.EvictedPositions;
import io.sparknd.table.internal.keyed.FeatureEvictTask;
import io.sparknd.table.internal.store.BlockFiles;
import io.sparknd.table.internal.store.CommitTarget;
import io.sparknd.table.internal.store.SnapshotProperties;
import io.sparknd.table.result.TableCommit;
import io.sparknd.table.result.TableCommit.Outcome;
import java.io.Serializable;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import org.apache.iceberg.SnapshotUpdate;
import org.apache.spark.HashPartitioner;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.SparkSession;
import org.jspecify.annotations.Nullable;

/**
 * Deletes the rows of a feature table that satisfy a condition, in one commit. Iceberg's reader
 * finds their positions. If another commit changes a block meanwhile, the condition is evaluated
 * again on what it left there.
 */
public final class FeatureEviction implements BlockRewrite {
  private final SparkSession spark;
  private final JavaSparkContext context;
  private final StoredFeatures table;
  private final CommitTarget target;
  private final Column condition;
  private final CommitId id;
  private final Optional<Instant> validAt;
  private final CommitFiles commitFiles;

  /**
   * Prepares an eviction.
   *
   * @param condition a condition on columns of the table; rows for which it is NULL stay
   * @param batchId if set, a second commit of the same batch does nothing
   * @param validAt the time from which the rows are gone; empty for that of the commit
   */
  public FeatureEviction(
      SparkSession spark,
      StoredFeatures table,
      CommitTarget target,
      Column condition,
      Optional<String> batchId,
      Optional<Instant> validAt) {
    this.spark = spark;
    this.context = JavaSparkContext.fromSparkContext(spark.sparkContext());
    this.table = table.toWriteAfter(target.head(table.table()));
    this.target = target;
    this.condition = condition;
    this.id = new CommitId(UUID.randomUUID().toString(), batchId);
    this.validAt = validAt;
    this.commitFiles = new CommitFiles(spark, table, id.operation());
  }

  /**
   * Runs the job and commits.
   *
   * @throws io.sparknd.tensor.SparkNdException if a column hides Iceberg's positions of rows; or as
   *     {@link CommitLoop#run}
   */
  public TableCommit run() {
    return new CommitLog("eviction", table, target, id).run(spark, this::commit);
  }

  private TableCommit commit() {
    table.refresh();
    SnapshotRows.hidden(table.table())
        .ifPresent(
            column -> {
              throw FeatureErrors.hiddenPositions(table.name(), column);
            });
    OptionalLong earlier = id.replayed(table, target);
    if (earlier.isPresent()) {
      return TableScatter.replayed(earlier.getAsLong());
    }
    BlockFilePlan planning = BlockFilePlan.begin(table, target);
    CommitLoop loop = new CommitLoop(table, target, id, planning, this, this::update);
    return switch (loop.run(id.batch().isEmpty() ? IfEmpty.SKIP : IfEmpty.COMMIT)) {
      case COMMITTED -> committed(loop.result(0, 0));
      case REPLAYED -> TableScatter.replayed(id.replayed(table, target).getAsLong());
      case NOTHING_TO_DO -> {
        Long head = target.headId(table.table());
        yield TableCommit.none(Outcome.EMPTY, head == null ? -1 : head);
      }
      case OUTDATED -> {
        StoredFeatures now = FeatureCatalog.toWrite(spark, table.name());
        yield new FeatureEviction(spark, now, target, condition, id.batch(), validAt).commit();
      }
    };
  }

  private static TableCommit committed(TableCommit did) {
    SparkNdMetric.TABLE_BYTES.add(did.bytesWritten());
    return did;
  }

  private SnapshotUpdate<?> update(@Nullable Long base, Collection<BlockResult> blocks) {
    Map<String, String> summary = new TreeMap<>(BatchIds.summary(table.table(), base));
    summary.put(SnapshotProperties.OPERATION, id.operation());
    summary.put(
        SnapshotProperties.EVICTED_ROWS,
        Long.toString(blocks.stream().mapToLong(BlockResult::rows).sum()));
    summary.put(SnapshotProperties.BLOCKS, Integer.toString(blocks.size()));
    id.batch().ifPresent(batch -> summary.put(SnapshotProperties.BATCH_ID, batch));
    validAt.ifPresent(time -> summary.putAll(ValidTime.summary(table.table(), base, time)));
    return new BlockDelta(table, target, base, blocks, summary, id.batch()).update();
  }

  @Override
  public List<BlockResult> run(
      @Nullable Long base, Map<Long, BlockFiles> files, @Nullable Set<Long> only) {
    if (files.isEmpty()) {
      return List.of();
    }
    Map<Long, BlockFiles> all = only == null ? files : table.files(base);
    int tasks = Math.min(files.size(), Math.max(1, ClusterCores.of(context.sc())));
    Broadcast<StoredFeatures> toTasks = context.broadcast(table.forTasks(spark));
    Broadcast<Map<Long, BlockFiles>> filesToTasks = context.broadcast(files);
    Broadcast<Map<String, Long>> blocksToTasks = context.broadcast(EvictedPositions.blocks(all));
    try {
      FeatureEvictTask task =
          new FeatureEvictTask(toTasks, filesToTasks, id.operation(), tasks, commitFiles.ofTasks());
      List<BlockResult> done =
          PartitionTasks.collected(
              found(base, new EvictedPositions(blocksToTasks, only))
                  .partitionBy(new HashPartitioner(tasks))
                  .mapPartitionsWithIndex(task::run, false));
      return commitFiles.withVectors(done, tasks);
    } catch (Exception e) {
      throw TaskErrors.unwrapped(e);
    } finally {
      InterruptedCleanup.destroy(toTasks, filesToTasks, blocksToTasks);
    }
  }

  private JavaPairRDD<Long, Serializable> found(@Nullable Long base, EvictedPositions grouping) {
    return new SnapshotRows(spark, table.table(), base)
        .positions(condition)
        .toJavaRDD()
        .mapPartitionsToPair(grouping::run);
  }

  @Override
  public void requireUnchanged(
      Set<Long> blocks, Map<Long, BlockFiles> before, Map<Long, BlockFiles> now) {
    // run() evaluates the condition on the blocks again
  }

  @Override
  public List<String> written() {
    return commitFiles.written();
  }
}
