/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.rows;

import io.sparknd.embedding.lifecycle.RowAdmission;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/** A reference for counting Bloom filters: all counters in one map, no partitions. */
public final class NaiveFilter {
  private final FilterShape shape;
  private final TreeMap<Long, Integer> counters = new TreeMap<>();
  private final TreeSet<Long> marks = new TreeSet<>();

  /** The steps of each bucket since which its counters are marked. */
  private final Map<Integer, Long> since = new TreeMap<>();

  private final Map<Long, Integer> counted = new HashMap<>();

  public NaiveFilter(RowAdmission.Filtered admission) {
    this.shape = FilterShape.of(admission);
  }

  NaiveFilter(FilterShape shape) {
    this.shape = shape;
  }

  private long counter(long key, int hash) {
    return (long) shape.bucket(key) * shape.cells() + shape.cell(key, hash);
  }

  int count(long key) {
    int least = Integer.MAX_VALUE;
    for (int hash = 0; hash < shape.hashes(); hash++) {
      least = Math.min(least, counters.getOrDefault(counter(key, hash), 0));
    }
    return least;
  }

  public boolean admits(long key, long steps) {
    int count = count(key) + 1;
    if (count < steps) {
      counted.put(key, count);
    }
    return count >= steps;
  }

  public void endStep(long step) {
    counted.forEach(
        (key, count) -> {
          since.putIfAbsent(shape.bucket(key), step);
          for (int hash = 0; hash < shape.hashes(); hash++) {
            counters.merge(counter(key, hash), count, Math::max);
            marks.add(counter(key, hash));
          }
        });
    counted.clear();
  }

  public void forget(long idle, long now) {
    since.replaceAll(
        (bucket, begin) -> {
          if (now - begin <= idle) {
            return begin;
          }
          long first = (long) bucket * shape.cells();
          long end = first + shape.cells();
          counters.subMap(first, end).keySet().removeIf(counter -> !marks.contains(counter));
          marks.subSet(first, end).clear();
          return now;
        });
  }

  /** Returns the value and the mark of each counter above 0, and the begin of its marks. */
  public Map<Long, List<Long>> stored() {
    Map<Long, List<Long>> stored = new TreeMap<>();
    counters.forEach(
        (counter, value) ->
            stored.put(
                counter,
                List.of(
                    (long) value,
                    marks.contains(counter) ? 1L : 0L,
                    since.get((int) (counter / shape.cells())))));
    return stored;
  }

  /** Returns the same of the buckets of a partition. */
  static Map<Long, List<Long>> stored(CountingFilter filter) {
    Map<Long, List<Long>> stored = new TreeMap<>();
    FilterShape shape = filter.shape();
    for (int place = 0; place < filter.buckets().length; place++) {
      FilterBucket bucket = filter.buckets()[place];
      for (int cell = 0; bucket != null && cell < shape.cells(); cell++) {
        long value = bits(bucket.words(), cell * shape.bits(), shape.bits());
        long mark = bits(bucket.words(), shape.cells() * shape.bits() + cell, 1);
        if (value > 0) {
          long counter = (long) filter.number(place) * shape.cells() + cell;
          stored.put(counter, List.of(value, mark, bucket.since()));
        }
      }
    }
    return stored;
  }

  /** Returns bits one by one, as words of 64 bits have them from the lowest. */
  private static long bits(long[] words, int from, int count) {
    long value = 0;
    for (int i = 0; i < count; i++) {
      int bit = from + i;
      value += (words[bit / 64] >>> (bit % 64) & 1) << i;
    }
    return value;
  }
}
