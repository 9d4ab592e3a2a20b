/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.rows;

import java.io.Serializable;
import java.util.Iterator;
import java.util.List;

/** The rows of a table in another number of partitions. */
public sealed interface Repartitioner extends Serializable
    permits BlockRepartitioner, KeyRepartitioner {

  static Repartitioner of(RowLayout layout, RowDirectory before, RowDirectory after) {
    return before instanceof DenseIdDirectory from && after instanceof DenseIdDirectory to
        ? new BlockRepartitioner(layout, from, to)
        : new KeyRepartitioner(layout, after);
  }

  /** What each partition gets of {@code partition}; those that get nothing are left out. */
  List<EmbeddingPartition> split(EmbeddingPartition partition);

  /** All of the parts of partition {@code index}. */
  EmbeddingPartition merged(int index, Iterator<EmbeddingPartition> parts);
}
