/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.rows;

import java.io.Serializable;
import java.util.Arrays;
import java.util.List;

/** Makes rows of a partition such as were never updated. */
public record RowRemoval(RowLayout layout, RowDirectory directory) implements Serializable {

  /**
   * Returns the partition without some rows. If ids are keys, this copies the rows that stay; else
   * the blocks of those that go.
   *
   * @param ids ascending; those that have no row are ignored
   */
  public EmbeddingPartition without(EmbeddingPartition partition, long[] ids) {
    if (ids.length == 0) {
      return partition;
    }
    return directory instanceof DenseIdDirectory
        ? withReset(partition, ids)
        : withOthers(partition, ids);
  }

  /**
   * Returns the partition without the rows and the candidates below thresholds.
   *
   * @param checkpoint id of the table's last checkpoint, since which evicted ids are kept for a
   *     delta; empty if there is none
   */
  public EmbeddingPartition evicted(
      EmbeddingPartition partition,
      RankThreshold threshold,
      RankThreshold candidates,
      String checkpoint) {
    EmbeddingPartition rest = evicted(partition, threshold, checkpoint);
    return rest.candidates() == null
        ? rest
        : rest.withCandidates(
            new RowRemoval(layout.candidates(), directory)
                .evicted(rest.candidates(), candidates, checkpoint));
  }

  private EmbeddingPartition evicted(
      EmbeddingPartition partition, RankThreshold threshold, String checkpoint) {
    long[] ids = threshold.ids(partition, layout, directory);
    return ids.length == 0
        ? partition
        : without(partition, ids).with(partition.evicted().and(checkpoint, ids));
  }

  /** Returns a partition of keys without the rows that were reset. */
  EmbeddingPartition compacted(EmbeddingPartition partition) {
    return withOthers(partition, new long[0]).with(partition.evicted());
  }

  private EmbeddingPartition withOthers(EmbeddingPartition partition, long[] ids) {
    int index = partition.index();
    PartitionEdit edit = edit(EmbeddingPartition.empty(layout, directory, index));
    UpdatedRows.visit(
        partition,
        layout,
        directory,
        (key, block, at) -> {
          if (Arrays.binarySearch(ids, key) < 0) {
            edit.add(key, block, at);
          }
        });
    return edit.done(List.of()).withCountsOf(partition);
  }

  private EmbeddingPartition withReset(EmbeddingPartition partition, long[] ids) {
    PartitionEdit edit = edit(partition);
    int perBlock = layout.perBlock();
    int last = -1;
    for (long id : ids) {
      long row = partition.rows().row(directory.address(id));
      int number = (int) (row / perBlock);
      if (partition.block(number) == null) {
        continue;
      }
      if (last >= 0 && last != number) {
        dropUnused(edit, last);
      }
      edit.reset(row);
      last = number;
    }
    if (last >= 0) {
      dropUnused(edit, last);
    }
    return edit.done(List.of());
  }

  /** Drops a block of which no row was updated: reads of its rows are the same without it. */
  private void dropUnused(PartitionEdit edit, int number) {
    long first = (long) number * layout.perBlock();
    RowBlock block = edit.own(first);
    for (int i = 0; i < layout.perBlock(); i++) {
      if (block.isUpdated(block.at(first + i, layout.perBlock()))) {
        return;
      }
    }
    edit.drop(number);
  }

  private PartitionEdit edit(EmbeddingPartition before) {
    return new PartitionEdit(before, layout, new InitialRows(layout, directory, before.index()));
  }
}
