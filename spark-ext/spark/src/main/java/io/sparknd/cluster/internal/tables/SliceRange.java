/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.tables;

import io.sparknd.cluster.internal.partition.BlockLayout;
import java.io.Serializable;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Consecutive slices of a tensor in row-major order.
 *
 * @param first number of the first slice
 * @param end number after the last slice
 */
public record SliceRange(long first, long end) implements Serializable {
  /** All slices of any tensor. */
  public static final SliceRange ALL = new SliceRange(0, Long.MAX_VALUE);

  /** No slice. */
  public static final SliceRange NONE = new SliceRange(0, 0);

  /** Returns whether any of the slices {@code [from, to)} is in the range. */
  public boolean meets(long from, long to) {
    return from < end && to > first;
  }

  /** Returns the number of slices in the range, of a tensor that has {@code slices}. */
  public long count(long slices) {
    return Math.max(0, Math.min(end, slices) - Math.min(first, slices));
  }

  /**
   * Returns the partitions of a tensor that hold slices of the range.
   *
   * @param sliceElements elements of a slice; every block holds a whole number of slices
   */
  Set<Integer> partitions(BlockLayout layout, long sliceElements) {
    return IntStream.range(0, layout.partitions())
        .filter(partition -> isIn(layout, partition, sliceElements))
        .boxed()
        .collect(Collectors.toSet());
  }

  private boolean isIn(BlockLayout layout, int partition, long sliceElements) {
    int blocks = (int) layout.blocksIn(partition);
    for (int block = 0; block < blocks; block++) {
      long from = layout.firstElement(partition, block) / sliceElements;
      if (meets(from, from + layout.elementsIn(partition, block) / sliceElements)) {
        return true;
      }
    }
    return false;
  }
}
