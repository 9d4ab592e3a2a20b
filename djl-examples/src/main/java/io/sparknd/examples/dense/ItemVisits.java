/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.examples.dense;

import java.io.Serializable;
import java.util.Arrays;
import java.util.stream.LongStream;

/**
 * Visits of users to items.
 *
 * @param logFrequencies the logarithm of the part of all visits that each item has
 */
public record ItemVisits(long[] users, long[] items, float[] logFrequencies)
    implements Serializable {
  /** The number of visits. */
  public int count() {
    return users.length;
  }

  /** Returns these visits, and then others. */
  ItemVisits and(ItemVisits others) {
    float[] often = Arrays.copyOf(logFrequencies, count() + others.count());
    System.arraycopy(others.logFrequencies, 0, often, count(), others.count());
    return new ItemVisits(
        LongStream.concat(LongStream.of(users), LongStream.of(others.users)).toArray(),
        LongStream.concat(LongStream.of(items), LongStream.of(others.items)).toArray(),
        often);
  }
}
