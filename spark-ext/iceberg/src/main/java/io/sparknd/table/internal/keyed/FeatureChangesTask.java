/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.keyed;

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

/**
 * The task that compares blocks of two snapshots.
 *
 * @param unchangedUntil as for {@link BlockDifference}
 * @param columns ordinals of the variables
 */
record FeatureChangesTask(
    Broadcast<StoredFeatures> table, long unchangedUntil, List<Integer> columns)
    implements Serializable {

  /** Returns the changed rows of blocks, one block after the other. */
  Iterator<InternalRow> run(Iterator<BlockPair> blocks) {
    Iterable<BlockPair> all = () -> blocks;
    return StreamSupport.stream(all.spliterator(), false).flatMap(this::rows).iterator();
  }

  private Stream<InternalRow> rows(BlockPair block) {
    try (BlockDifference difference = new BlockDifference(table.value(), unchangedUntil, columns)) {
      return difference.run(block).stream().map(this::row);
    }
  }

  private InternalRow row(RowChange change) {
    int keys = change.key().length;
    Object[] row = new Object[keys + columns.size() + 2];
    System.arraycopy(change.key(), 0, row, 0, keys);
    System.arraycopy(change.values(), 0, row, keys, columns.size());
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
