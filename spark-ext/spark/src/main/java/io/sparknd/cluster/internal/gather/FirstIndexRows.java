/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.gather;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Collects index rows on the driver, as many as a limit asks for: from one partition first, then
 * from ever more, as Spark does for the first rows of a query.
 */
final class FirstIndexRows {
  private static final int GROWTH = 4;

  /** The most bytes of the index rows of a step. */
  private static final long MAX_BYTES = 1 << 20;

  private FirstIndexRows() {}

  /**
   * Returns any {@code most} rows, or all if they are fewer, after the rows that were read are
   * checked.
   *
   * @return empty if the rows are large
   */
  static Optional<List<IndexRows>> of(RowGather gather, int most) {
    int partitions = gather.indexRows().getNumPartitions();
    List<IndexRows> found = new ArrayList<>();
    int missing = most;
    int count = 1;
    for (int from = 0; from < partitions && missing > 0; from += count / GROWTH) {
      Optional<List<IndexRows>> next =
          BroadcastIndices.collectedWithin(
              MAX_BYTES, MAX_BYTES, gather, from, Math.min(partitions, from + count));
      if (next.isEmpty()) {
        return Optional.empty();
      }
      for (IndexRows rows : next.get()) {
        found.add(rows.first(missing));
        missing -= Math.min(missing, rows.locals().length);
      }
      count *= GROWTH;
    }
    return Optional.of(found);
  }
}
