/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.block;

import io.sparknd.table.internal.store.BlockFiles;
import io.sparknd.table.internal.store.StoredTensor;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.apache.iceberg.DataFile;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.util.CollectionAccumulator;

/**
 * The task of a compaction: writes the live rows of each block to one file.
 *
 * @param operation operation id in the names of the commit's files
 * @param written collects the locations of the files of successful tasks
 */
public record CompactTask(
    Broadcast<StoredTensor> tensor, String operation, CollectionAccumulator<String> written)
    implements Serializable {

  public Iterator<BlockResult> run(int partition, Iterator<BlockFiles> blocks) {
    TaskFiles out = TaskFiles.of(tensor.value(), partition, operation);
    List<BlockResult> results = new ArrayList<>();
    blocks.forEachRemaining(block -> results.add(compact(block, out)));
    out.record(written);
    return results.iterator();
  }

  private BlockResult compact(BlockFiles block, TaskFiles out) {
    out.requireAlive();
    BlockRows rows = BlockRows.toRewrite(tensor.value(), block);
    long firstRow = block.block() * tensor.value().format().perBlock();
    SortedRows all = rows.sorted();
    List<DataFile> added =
        all.count() == 0
            ? List.of()
            : List.of(
                new BlockFileWriter(tensor.value(), out)
                    .write(
                        block.block(),
                        all.shifted(firstRow),
                        rows.payload(),
                        rows.lineage(),
                        rows.additional()));
    return BlockResult.of(block.block(), added, block.files(), List.of(), all.count(), 0);
  }
}
