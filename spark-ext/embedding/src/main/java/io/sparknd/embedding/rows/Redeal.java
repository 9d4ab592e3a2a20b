/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.rows;

import java.io.Serializable;
import java.util.Iterator;
import java.util.List;

/** The rows of a table in another number of partitions. */
public sealed interface Redeal extends Serializable permits BlockRedeal, KeyRedeal {

  static Redeal of(RowLayout layout, Ids before, Ids after) {
    return before instanceof NumberedIds from && after instanceof NumberedIds to
        ? new BlockRedeal(layout, from, to)
        : new KeyRedeal(layout, after);
  }

  /** What each partition gets of {@code partition}; those that get nothing are left out. */
  List<EmbeddingPartition> split(EmbeddingPartition partition);

  /** All of the parts of partition {@code index}. */
  EmbeddingPartition merged(int index, Iterator<EmbeddingPartition> parts);
}
