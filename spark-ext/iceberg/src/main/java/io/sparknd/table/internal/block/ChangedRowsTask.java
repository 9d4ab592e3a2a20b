/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.block;

import io.sparknd.table.internal.store.BlockFiles;
import io.sparknd.table.internal.store.StoredTensor;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.apache.spark.TaskContext;
import org.apache.spark.broadcast.Broadcast;
import org.jspecify.annotations.Nullable;

/**
 * Finds the rows named by updates whose values differ between two snapshots, because another commit
 * changed them.
 *
 * @param only the blocks to compare
 */
public record ChangedRowsTask(
    Broadcast<StoredTensor> tensor,
    Broadcast<Map<Long, BlockFiles>> before,
    Broadcast<Map<Long, BlockFiles>> now,
    List<ScatterStage> parts,
    Set<Long> only)
    implements Serializable {

  /** Returns the offsets of the rows that changed. */
  public Iterator<Long> run(int partition, Iterator<TaggedBatch> sent) {
    TaskContext task = TaskContext.get();
    long perBlock = tensor.value().format().perBlock();
    Map<Long, TouchedRowSet> named = new TreeMap<>();
    new BatchSplitter(partition, parts, perBlock)
        .split(
            sent,
            (block, run) -> {
              if (only.contains(block)) {
                named.computeIfAbsent(block, any -> new TouchedRowSet(parts, perBlock)).add(run);
              }
            });
    List<Long> changed = new ArrayList<>();
    named.forEach(
        (block, rows) -> {
          task.killTaskIfInterrupted();
          compare(block, rows.touched(), changed);
        });
    return changed.iterator();
  }

  private void compare(long block, TouchedRows touched, List<Long> changed) {
    long perBlock = tensor.value().format().perBlock();
    BlockRows old = read(before, block);
    BlockRows current = read(now, block);
    for (long row : touched.rows()) {
      if (!Objects.deepEquals(value(old, row), value(current, row))) {
        changed.add(block * perBlock + row);
      }
    }
  }

  private BlockRows read(Broadcast<Map<Long, BlockFiles>> files, long block) {
    return BlockRows.read(
        tensor.value(), files.value().getOrDefault(block, BlockFiles.none(block)));
  }

  /** Returns a row's slice; null if the row was never written. */
  private @Nullable Object value(BlockRows rows, long row) {
    int slot = rows.slot(row);
    int units = tensor.value().format().rows().units();
    return slot < 0
        ? null
        : tensor
            .value()
            .format()
            .rows()
            .dtype()
            .storage()
            .copyOfRange(rows.payload(), slot * units, (slot + 1) * units);
  }
}
