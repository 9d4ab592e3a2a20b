/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.rows;

import java.io.Serializable;
import java.util.Iterator;
import java.util.List;

/** Moves the rows of a table to another number of partitions. */
public sealed interface Repartitioner extends Serializable
    permits BlockRepartitioner, KeyRepartitioner {

  static Repartitioner of(RowLayout layout, RowDirectory before, RowDirectory after) {
    return before instanceof DenseIdDirectory from && after instanceof DenseIdDirectory to
        ? new BlockRepartitioner(layout, from, to)
        : new KeyRepartitioner(layout, after);
  }

  /** Splits {@code partition} by new partition; empty parts are omitted. */
  List<EmbeddingPartition> split(EmbeddingPartition partition);

  /** Merges the parts of new partition {@code index}. */
  EmbeddingPartition merged(int index, Iterator<EmbeddingPartition> parts);
}
