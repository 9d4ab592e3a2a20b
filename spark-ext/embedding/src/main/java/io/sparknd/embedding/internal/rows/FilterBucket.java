/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.rows;

/**
 * A bucket of a counting Bloom filter.
 *
 * @param words counters and marks, see {@link FilterShape}
 * @param since steps of the table since which all counters that were counted in are marked
 * @param changed steps of the table before the last change
 */
record FilterBucket(long[] words, long since, long changed) {
  FilterBucket changed(long step) {
    return new FilterBucket(words, since, step);
  }

  FilterBucket copy() {
    return new FilterBucket(words.clone(), since, changed);
  }
}
