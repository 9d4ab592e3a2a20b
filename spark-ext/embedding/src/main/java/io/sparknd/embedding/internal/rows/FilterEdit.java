/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.rows;

import java.util.Arrays;
import java.util.BitSet;

/**
 * Builds the next version of a partition's counting Bloom filter by copy-on-write; each bucket is
 * copied once. Counts of a step are those before the step, and its keys are counted together, each
 * counter raised to the highest of the counts that its keys have then. So the order of keys in a
 * step changes nothing. That a key raises only its least counters, and others to the same count, is
 * the conservative update of Estan and Varghese (2002).
 */
final class FilterEdit {
  private final CountingFilter before;
  private final FilterShape shape;
  private final FilterBucket[] buckets;
  private final BitSet own = new BitSet();

  /** Keys that the current step counts, and their counts after the step. */
  private long[] keys = new long[64];

  private int[] counts = new int[64];
  private int size;

  FilterEdit(CountingFilter before) {
    this.before = before;
    this.shape = before.shape();
    this.buckets = before.buckets().clone();
  }

  /** Counts a key that has no row, which occurs once in a step; returns whether it gets one. */
  boolean admits(long key, long steps) {
    FilterBucket bucket = buckets[before.place(key)];
    int count = bucket == null ? 1 : shape.count(bucket.words(), key) + 1;
    if (count >= steps) {
      return true;
    }
    if (size == keys.length) {
      keys = Arrays.copyOf(keys, 2 * size);
      counts = Arrays.copyOf(counts, 2 * size);
    }
    keys[size] = key;
    counts[size++] = count;
    return false;
  }

  /** Ends a step: counts its keys. */
  void endStep(long step) {
    for (int i = 0; i < size; i++) {
      shape.raise(own(before.place(keys[i]), step), keys[i], counts[i]);
    }
    size = 0;
  }

  private long[] own(int place, long step) {
    FilterBucket bucket = buckets[place];
    if (bucket == null) {
      bucket = new FilterBucket(new long[shape.words()], step, step);
    } else if (!own.get(place)) {
      bucket = bucket.copy();
    }
    own.set(place);
    buckets[place] = bucket.changed(step);
    return bucket.words();
  }

  /** Returns the next version. The edit must not be used afterwards. */
  CountingFilter done() {
    return before.with(buckets);
  }
}
