/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.commit;

import io.sparknd.cluster.internal.spark.ClusterCores;
import io.sparknd.cluster.internal.spark.InterruptedCleanup;
import io.sparknd.cluster.internal.spark.PartitionTasks;
import io.sparknd.cluster.internal.spark.TaskErrors;
import io.sparknd.metrics.SparkNdMetric;
import io.sparknd.table.internal.TableErrors;
import io.sparknd.table.internal.block.BlockResult;
import io.sparknd.table.internal.block.CompactTask;
import io.sparknd.table.internal.commit.CommitLoop.CommitId;
import io.sparknd.table.internal.commit.CommitLoop.IfEmpty;
import io.sparknd.table.internal.store.BlockFiles;
import io.sparknd.table.internal.store.CommitTarget;
import io.sparknd.table.internal.store.StoredTensor;
import io.sparknd.table.internal.store.TableCatalogs;
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

/** Compacts each block that has several files or deleted rows into one file. */
public final class TableCompaction implements BlockRewrite {
  private final SparkSession spark;
  private final JavaSparkContext context;
  private final StoredTensor tensor;
  private final CommitTarget target;
  private final CollectionAccumulator<String> written;
  private final CommitId id = new CommitId(UUID.randomUUID().toString(), Optional.empty());

  /**
   * Prepares a compaction.
   *
   * @throws io.sparknd.tensor.SparkNdException if commits are staged: staging would delay a change
   *     of no row, and keep other staged scatters from being published
   */
  public TableCompaction(SparkSession spark, StoredTensor tensor, CommitTarget target) {
    if (target.wapId().isPresent()) {
      throw TableErrors.stagedCompaction(tensor.name(), target.wapId().get());
    }
    this.spark = spark;
    this.context = JavaSparkContext.fromSparkContext(spark.sparkContext());
    this.tensor = tensor;
    this.target = target;
    this.written = CommitFiles.ofTasks(spark);
  }

  /** Runs the job and commits; the tensor does not change. */
  public TableCommit run() {
    return new CommitLog("compaction", tensor, target, id).run(spark, this::commit);
  }

  private TableCommit commit() {
    tensor.refresh();
    ShrunkAxis.requireWithin(tensor, target);
    BlockFilePlan planning = BlockFilePlan.begin(tensor, target);
    CommitLoop loop =
        new CommitLoop(
            tensor,
            target,
            id,
            planning,
            this,
            (base, blocks) -> CompactionCommit.update(tensor, target, id, base, blocks));
    return switch (loop.run(IfEmpty.SKIP)) {
      case COMMITTED -> committed(loop.result(0, 0));
      case OUTDATED ->
          new TableCompaction(spark, TableCatalogs.toWrite(spark, tensor.name()), target).commit();
      case REPLAYED, NOTHING_TO_DO -> {
        Long head = target.headId(tensor.table());
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
            .filter(block -> isScattered(block) && (only == null || only.contains(block.block())))
            .toList();
    if (blocks.isEmpty()) {
      return List.of();
    }
    Broadcast<StoredTensor> toTasks = context.broadcast(tensor.forTasks(spark));
    try {
      CompactTask task = new CompactTask(toTasks, id.operation(), written);
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

  private static boolean isScattered(BlockFiles block) {
    return block.files().size() > 1
        || block.files().stream().anyMatch(file -> !file.deletes().isEmpty());
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
