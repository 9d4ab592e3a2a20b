/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.nearest;

import io.sparknd.embedding.internal.EmbeddingErrors;
import io.sparknd.embedding.internal.rows.EmbeddingPartition;
import io.sparknd.embedding.internal.rows.RowDirectory;
import io.sparknd.embedding.internal.rows.RowLayout;
import io.sparknd.embedding.internal.rows.RowTile;
import io.sparknd.embedding.internal.rows.RowTiles;
import io.sparknd.embedding.nearest.VectorMetric;
import java.util.Arrays;

/** Finds the nearest written rows of one partition for blocks of queries. */
final class PartitionSearch {
  private final EmbeddingPartition partition;
  private final RowLayout layout;
  private final RowDirectory directory;
  private final int k;
  private final PairScores scores;

  PartitionSearch(
      EmbeddingPartition partition,
      RowLayout layout,
      RowDirectory directory,
      int k,
      VectorMetric metric) {
    this.partition = partition;
    this.layout = layout;
    this.directory = directory;
    this.k = k;
    this.scores = new PairScores(metric, layout.dim());
  }

  /** Returns the nearest rows; a block of queries is compared with one tile of rows at a time. */
  NeighborBlock of(QueryBlock queries) {
    NeighborHeap[] heaps = new NeighborHeap[queries.count()];
    Arrays.setAll(heaps, i -> new NeighborHeap(k));
    RowTiles tiles = new RowTiles(partition, layout, directory, scores.capacity());
    while (tiles.hasNext()) {
      RowTile tile = tiles.next();
      check(tile);
      scores.load(tile.weights(), tile.count());
      for (int i = 0; i < heaps.length; i++) {
        double[] found = scores.of(queries.vectors(), i * layout.dim());
        heaps[i].offer(tile.ids(), found, tile.count());
      }
    }
    return NeighborBlock.of(queries.ids(), heaps);
  }

  /** Rejects rows that are not finite: their scores have no order. */
  private void check(RowTile tile) {
    for (int i = 0; i < tile.count() * layout.dim(); i++) {
      if (!Float.isFinite(tile.weights()[i])) {
        throw EmbeddingErrors.badRow(tile.ids()[i / layout.dim()], tile.weights()[i]);
      }
    }
  }
}
