/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.publish;

import io.sparknd.table.internal.PublicationErrors;
import io.sparknd.table.internal.cell.Cells;
import io.sparknd.table.internal.feature.StoredFeatures;
import io.sparknd.table.internal.keyed.BlockChanges;
import io.sparknd.table.internal.keyed.BlockDifference;
import io.sparknd.table.internal.keyed.BlockPair;
import io.sparknd.table.internal.keyed.RowChange;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.apache.spark.broadcast.Broadcast;

/**
 * The task that sends the changed rows of blocks.
 *
 * @param unchangedUntil as for {@link BlockDifference}
 * @param epoch number of the step
 */
record PublishTask(
    Broadcast<StoredFeatures> table, long unchangedUntil, SinkStores stores, long epoch)
    implements Serializable {
  /** Rows that are written at once: a store may block others meanwhile. */
  private static final int MAX_ROWS = 500;

  Iterator<PublishCounts> run(Iterator<BlockPair> blocks) {
    PublishCounts counts = PublishCounts.NONE;
    try (SinkStore store = stores.open()) {
      while (blocks.hasNext()) {
        counts = counts.plus(send(blocks.next(), store));
      }
    }
    return List.of(counts).iterator();
  }

  private PublishCounts send(BlockPair block, SinkStore store) {
    try (BlockDifference difference =
        new BlockDifference(table.value(), unchangedUntil, stores.columns().ordinals())) {
      BlockChanges changes = difference.run(block);
      List<Cells> cells = stores.columns().ordinals().stream().map(changes.after()::get).toList();
      PublishCounts counts = PublishCounts.NONE;
      List<PublishedRow> chunk = new ArrayList<>();
      Iterator<RowChange> rows = changes.rows().iterator();
      while (rows.hasNext()) {
        RowChange change = rows.next();
        boolean isGone = change.kind() == RowChange.Kind.DELETE;
        chunk.add(new PublishedRow(change.key(), isGone ? null : cells, change.slot()));
        if (chunk.size() == MAX_ROWS || !rows.hasNext()) {
          counts = counts.plus(write(chunk, store));
          chunk.clear();
        }
      }
      return counts;
    }
  }

  private PublishCounts write(List<PublishedRow> chunk, SinkStore store) {
    long bytes = store.write(epoch, chunk);
    if (bytes < 0) {
      throw PublicationErrors.overtaken(stores.name(), stores.address().shown());
    }
    long deleted = chunk.stream().filter(row -> row.cells() == null).count();
    return new PublishCounts(chunk.size() - deleted, deleted, bytes);
  }
}
