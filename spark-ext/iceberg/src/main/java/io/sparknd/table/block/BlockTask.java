/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.block;

import io.sparknd.cluster.rows.RowErrors;
import io.sparknd.kernel.KernelProviders;
import io.sparknd.metrics.TaskMetrics;
import io.sparknd.table.store.BlockFiles;
import io.sparknd.table.store.StoredTensor;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.spark.TaskContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.util.CollectionAccumulator;
import org.apache.spark.util.TaskFailureListener;

/**
 * What tasks do for a scatter into a table: the blocks of one partition, one after the other.
 *
 * @param files of the blocks that have any
 * @param only the blocks to do; null for all that have updates
 * @param operation makes the names of files those of one commit
 * @param kernel provider's name
 * @param refusals of each part, told of duplicates
 * @param written told of every file that is there when a task ends well
 */
public record BlockTask(
    Broadcast<StoredTensor> tensor,
    Broadcast<Map<Long, BlockFiles>> files,
    List<ScatterStage> parts,
    Set<Long> only,
    String operation,
    String kernel,
    List<RowErrors> refusals,
    CollectionAccumulator<String> written)
    implements Serializable {

  /** Folds what was sent to {@code partition} and writes it. */
  public Iterator<BlockResult> run(int partition, Iterator<TaggedBatch> sent) {
    long start = System.nanoTime();
    TaskContext task = TaskContext.get();
    TaskFiles out = new TaskFiles(tensor.value(), partition, task.taskAttemptId(), operation);
    task.addTaskFailureListener((TaskFailureListener) (context, error) -> out.discard());
    long perBlock = tensor.value().format().perBlock();
    List<BlockResult> results = new ArrayList<>();
    BlockUpdates.shareOut(partition, sent, parts, perBlock)
        .forEach(
            (block, updates) -> {
              if (only == null || only.contains(block)) {
                BlockFiles stored = files.value().getOrDefault(block, BlockFiles.none(block));
                results.add(fold(stored, updates, out));
              }
            });
    List<BlockResult> finished = out.finish(results, parts.get(0).pieces().partitions());
    out.locations().forEach(written::add);
    TaskMetrics.folded(
        KernelProviders.named(kernel).name(),
        results.stream().mapToLong(BlockResult::updates).sum(),
        System.nanoTime() - start);
    return finished.iterator();
  }

  private BlockResult fold(BlockFiles stored, BlockUpdates updates, TaskFiles out) {
    return new BlockFold(tensor.value(), parts, kernel, refusals, stored).run(updates, out);
  }
}
