/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.rows;

import java.io.Serializable;
import java.util.Iterator;
import java.util.List;

/** Moves the rows of a table to another number of partitions. */
public sealed interface Repartitioner extends Serializable
    permits BlockRepartitioner, KeyRepartitioner {

  /**
   * Returns the repartitioner of a table.
   *
   * @param checkpoint id of the table's last checkpoint, since which evicted ids are kept for a
   *     delta; empty if there is none
   */
  static Repartitioner of(
      RowLayout layout, RowDirectory before, RowDirectory after, String checkpoint) {
    return before instanceof DenseIdDirectory from && after instanceof DenseIdDirectory to
        ? new BlockRepartitioner(layout, from, to, checkpoint)
        : new KeyRepartitioner(layout, after, checkpoint);
  }

  /** Splits {@code partition} by new partition; empty parts are omitted. */
  List<EmbeddingPartition> split(EmbeddingPartition partition);

  /** Merges the parts of new partition {@code index}. */
  EmbeddingPartition merged(int index, Iterator<EmbeddingPartition> parts);
}
