/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.rows;

import io.sparknd.embedding.lifecycle.RowAdmission;
import java.io.Serializable;

/**
 * The shape of a counting Bloom filter, and where a key is in it. The filter consists of buckets,
 * as a blocked Bloom filter (Putze, Sanders and Singler, 2007): all counters of a key are in one
 * bucket, and a partition has whole buckets. Which keys share counters therefore does not depend on
 * the number of partitions. Saved tables depend on shapes and hash functions.
 *
 * <p>The words of a bucket are its counters, then one mark for each counter.
 *
 * @param buckets a power of two
 * @param cells counters in a bucket, a multiple of 64
 * @param hashes counters of a key
 * @param bits bits of a counter: 1, 2, 4, 8 or 16
 * @param seed seed of the hash functions
 */
record FilterShape(int buckets, int cells, int hashes, int bits, long seed)
    implements Serializable {
  /** Keys in a bucket, unless there would be too few buckets or too many. */
  private static final int KEYS = 256;

  private static final int MIN_BUCKETS = 1 << 10;
  private static final int MAX_BUCKETS = 1 << 20;
  private static final int MIN_CELLS = 256;
  private static final long GOLDEN = 0x9e3779b97f4a7c15L;

  static FilterShape of(RowAdmission.Filtered admission) {
    long some = Long.highestOneBit(admission.keys() / KEYS);
    int buckets = (int) Math.max(MIN_BUCKETS, Math.min(MAX_BUCKETS, some));
    double rate = admission.earlyRate();
    // StrictMath, since every JVM must compute the same shape
    int hashes = (int) Math.round(-StrictMath.log(rate) / StrictMath.log(2));
    int cells = cells((double) admission.keys() / buckets, hashes, rate);
    int bits = 1;
    while (1L << bits < admission.steps()) {
      bits *= 2;
    }
    return new FilterShape(buckets, cells, hashes, bits, admission.seed());
  }

  /** Returns the smallest number of counters with a rate that is not above {@code rate}. */
  private static int cells(double keys, int hashes, double rate) {
    int most = MIN_CELLS;
    while (earlyRate(keys, most, hashes) > rate) {
      most *= 2;
    }
    int least = most / 2;
    while (most - least > Long.SIZE) {
      int middle = least + (most - least) / (2 * Long.SIZE) * Long.SIZE;
      if (earlyRate(keys, middle, hashes) > rate) {
        least = middle;
      } else {
        most = middle;
      }
    }
    return Math.max(MIN_CELLS, most);
  }

  /**
   * Returns the probability that other keys share all counters of a key. The number of other keys
   * in its bucket is Poisson-distributed with mean {@code keys}; the result is the expectation of
   * {@code (1 - missed^number)^hashes}, expanded by the binomial theorem, where {@code missed} is
   * the probability that a key does not have a certain counter.
   */
  static double earlyRate(double keys, int cells, int hashes) {
    double missed = StrictMath.pow(1 - 1.0 / cells, hashes);
    double rate = 0;
    double binomial = 1;
    double power = 1;
    for (int i = 0; i <= hashes; i++) {
      rate += binomial * StrictMath.exp(-keys * (1 - power));
      binomial *= -(double) (hashes - i) / (i + 1);
      power *= missed;
    }
    return rate;
  }

  /** Returns the number of words of a bucket. */
  int words() {
    return marks() + cells / Long.SIZE;
  }

  /** Returns the first word of the marks. */
  private int marks() {
    return cells / Long.SIZE * bits;
  }

  int bucket(long key) {
    // the upper bits, since the lower ones select the slot in the index of keys
    return (int) (HashedKeyDirectory.mix(key) >>> (Long.SIZE - bucketBits()));
  }

  private int bucketBits() {
    return Integer.numberOfTrailingZeros(buckets);
  }

  /** Returns counter {@code hash} of a key in its bucket. */
  int cell(long key, int hash) {
    long stream = HashedKeyDirectory.mix(key + HashedKeyDirectory.mix(seed + GOLDEN));
    long random = HashedKeyDirectory.mix(stream + (hash + 1) * GOLDEN) >>> 32;
    return (int) (random * cells >>> 32);
  }

  /** Returns the count of a key: the least of its counters. */
  int count(long[] words, long key) {
    int least = Integer.MAX_VALUE;
    for (int hash = 0; hash < hashes; hash++) {
      least = Math.min(least, counter(words, cell(key, hash)));
    }
    return least;
  }

  private int counter(long[] words, int cell) {
    int bit = cell * bits;
    return (int) (words[bit / Long.SIZE] >>> bit) & ((1 << bits) - 1);
  }

  /** Raises the counters of a key that are less to {@code count}, and marks them all. */
  void raise(long[] words, long key, int count) {
    for (int hash = 0; hash < hashes; hash++) {
      int cell = cell(key, hash);
      if (counter(words, cell) < count) {
        set(words, cell, count);
      }
      words[marks() + cell / Long.SIZE] |= 1L << cell;
    }
  }

  private void set(long[] words, int cell, long count) {
    int bit = cell * bits;
    long mask = (1L << bits) - 1;
    words[bit / Long.SIZE] = words[bit / Long.SIZE] & ~(mask << bit) | count << bit;
  }

  /** Returns the words with unmarked counters set to 0, and no marks. */
  long[] withMarked(long[] words) {
    long[] marked = new long[words.length];
    for (int cell = 0; cell < cells; cell++) {
      if ((words[marks() + cell / Long.SIZE] >>> cell & 1) != 0) {
        set(marked, cell, counter(words, cell));
      }
    }
    return marked;
  }
}
