/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.scatter;

import io.sparknd.cluster.internal.shuffle.ShuffleBatch;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * The set of the slices of a partition that updates name; a partition may have more than 2^31
 * slices.
 */
final class UpdatedSlices {
  private static final int BITS = 30;

  private final List<BitSet> segments = new ArrayList<>();

  void add(ShuffleBatch batch) {
    for (int i = 0; i < batch.count(); i++) {
      long slice = batch.locals()[i];
      segment((int) (slice >>> BITS)).set((int) slice & (1 << BITS) - 1);
    }
  }

  private BitSet segment(int number) {
    while (segments.size() <= number) {
      segments.add(new BitSet());
    }
    return segments.get(number);
  }

  long count() {
    return segments.stream().mapToLong(BitSet::cardinality).sum();
  }
}
