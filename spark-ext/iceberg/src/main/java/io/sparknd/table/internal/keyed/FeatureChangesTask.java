/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.keyed;

import io.sparknd.table.internal.cell.Cells;
import io.sparknd.table.internal.feature.StoredFeatures;
import java.io.Serializable;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.util.GenericArrayData;
import org.apache.spark.unsafe.types.UTF8String;
import org.jspecify.annotations.Nullable;

/**
 * The task that compares blocks of two snapshots.
 *
 * @param unchangedUntil as for {@link BlockDifference}
 * @param columns ordinals of the variables
 */
public record FeatureChangesTask(
    Broadcast<StoredFeatures> table, long unchangedUntil, List<Integer> columns)
    implements Serializable {

  /** Returns the changed rows of blocks, one block after the other. */
  public Iterator<InternalRow> run(Iterator<BlockPair> blocks) {
    Iterable<BlockPair> all = () -> blocks;
    return StreamSupport.stream(all.spliterator(), false).flatMap(this::rows).iterator();
  }

  private Stream<InternalRow> rows(BlockPair block) {
    try (BlockDifference difference = new BlockDifference(table.value(), unchangedUntil, columns)) {
      BlockChanges changes = difference.run(block);
      return changes.rows().map(change -> row(change, changes.after()));
    }
  }

  private InternalRow row(RowChange change, List<Cells> cells) {
    int keys = change.key().length;
    @Nullable Object[] row = new Object[keys + columns.size() + 2];
    System.arraycopy(change.key(), 0, row, 0, keys);
    for (int i = 0; i < columns.size(); i++) {
      row[keys + i] = change.slot() < 0 ? null : cells.get(columns.get(i)).value(change.slot());
    }
    row[row.length - 2] = UTF8String.fromString(change.kind().name());
    row[row.length - 1] =
        new GenericArrayData(
            change.changed().stream()
                .map(column -> table.value().format().columns().get(column).name())
                .map(UTF8String::fromString)
                .toArray());
    return new GenericInternalRow(row);
  }
}
