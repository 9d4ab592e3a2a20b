/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cli.demo;

import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.function.IntToLongFunction;

/** Finds the positions of the largest values. */
final class LargestValues {
  private LargestValues() {}

  /**
   * Returns the positions of the {@code k} largest values, largest first; ties in ascending order
   * of position.
   *
   * @param count positions range from 0 to {@code count - 1}
   */
  static int[] of(int k, int count, IntToLongFunction value) {
    Comparator<Integer> byValue = Comparator.comparingLong(value::applyAsLong);
    PriorityQueue<Integer> kept = new PriorityQueue<>(byValue.thenComparing(i -> -i));
    for (int i = 0; i < count; i++) {
      if (kept.size() < k) {
        kept.add(i);
      } else if (value.applyAsLong(i) > value.applyAsLong(kept.element())) {
        kept.remove();
        kept.add(i);
      }
    }
    int[] places = new int[kept.size()];
    for (int i = places.length - 1; i >= 0; i--) {
      places[i] = kept.remove();
    }
    return places;
  }
}
