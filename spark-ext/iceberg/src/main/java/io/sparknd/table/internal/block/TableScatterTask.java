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
import java.util.TreeMap;
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

  /** Bytes of updates that a task holds, before blocks that take less memory replace them. */
  private static final long HELD_BYTES = 16L << 20;

  /** Folds the updates of {@code partition} and writes its blocks. */
  public Iterator<BlockResult> run(int partition, Iterator<TaggedBatch> sent) {
    long start = System.nanoTime();
    TaskFiles out = TaskFiles.of(tensor.value(), partition, operation);
    Blocks blocks = new Blocks();
    new BatchSplitter(partition, parts, tensor.value().format().perBlock())
        .split(sent, blocks::add);
    List<BlockResult> results = blocks.write(out);
    List<BlockResult> finished = out.finish(results, parts.get(0).pieces().partitions());
    out.record(written);
    TaskMetrics.folded(
        KernelProviders.named(kernel).name(),
        results.stream().mapToLong(BlockResult::updates).sum(),
        System.nanoTime() - start);
    return finished.iterator();
  }

  /** The blocks of a partition that have updates. */
  private final class Blocks {
    private final CommitScatters scatters =
        new CommitScatters(tensor.value(), parts, kernel, rowErrors);
    private final TreeMap<Long, BlockFold> folds = new TreeMap<>();
    private long held;

    void add(long block, UpdateRun run) {
      if (only == null || only.contains(block)) {
        BlockFold fold = folds.computeIfAbsent(block, this::fold);
        held -= fold.heldBytes();
        fold.add(run);
        if (held + fold.heldBytes() > HELD_BYTES) {
          fold.foldIfSmaller();
        }
        held += fold.heldBytes();
      }
    }

    private BlockFold fold(long block) {
      return new BlockFold(scatters, files.value().getOrDefault(block, BlockFiles.none(block)));
    }

    /** Writes the blocks, ascending, and forgets each. */
    List<BlockResult> write(TaskFiles out) {
      List<BlockResult> results = new ArrayList<>();
      while (!folds.isEmpty()) {
        out.requireAlive();
        results.add(folds.pollFirstEntry().getValue().write(out));
      }
      return results;
    }
  }
}
