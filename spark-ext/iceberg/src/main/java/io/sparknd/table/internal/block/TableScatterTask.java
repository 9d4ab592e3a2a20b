/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.block;

import io.sparknd.cluster.internal.rows.RowErrors;
import io.sparknd.kernel.KernelProviders;
import io.sparknd.metrics.TaskMetrics;
import io.sparknd.table.internal.store.BlockFiles;
import io.sparknd.table.internal.store.StoredTensor;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.util.CollectionAccumulator;
import org.jspecify.annotations.Nullable;

/**
 * The task of a scatter into a table: processes the blocks of one partition sequentially.
 *
 * @param files files by block, for blocks that have any
 * @param only the blocks to process; null for all that have updates
 * @param operation operation id in the names of the commit's files
 * @param kernel name of the kernel provider
 * @param rowErrors row errors of each scatter, to which duplicates are reported
 * @param written collects the locations of the files of successful tasks
 */
public record TableScatterTask(
    Broadcast<StoredTensor> tensor,
    Broadcast<Map<Long, BlockFiles>> files,
    List<ScatterStage> parts,
    @Nullable Set<Long> only,
    String operation,
    String kernel,
    List<RowErrors> rowErrors,
    CollectionAccumulator<String> written)
    implements Serializable {

  /** Folds the updates of {@code partition} and writes its blocks. */
  public Iterator<BlockResult> run(int partition, Iterator<TaggedBatch> sent) {
    long start = System.nanoTime();
    TaskFiles out = TaskFiles.of(tensor.value(), partition, operation);
    long perBlock = tensor.value().format().perBlock();
    List<BlockResult> results = new ArrayList<>();
    BlockUpdates.splitByBlock(partition, sent, parts, perBlock)
        .forEach(
            (block, updates) -> {
              if (only == null || only.contains(block)) {
                out.requireAlive();
                BlockFiles stored = files.value().getOrDefault(block, BlockFiles.none(block));
                results.add(fold(stored, updates, out));
              }
            });
    List<BlockResult> finished = out.finish(results, parts.get(0).pieces().partitions());
    out.record(written);
    TaskMetrics.folded(
        KernelProviders.named(kernel).name(),
        results.stream().mapToLong(BlockResult::updates).sum(),
        System.nanoTime() - start);
    return finished.iterator();
  }

  private BlockResult fold(BlockFiles stored, BlockUpdates updates, TaskFiles out) {
    return new BlockFold(tensor.value(), parts, kernel, rowErrors, stored).run(updates, out);
  }
}
