/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.rows;

import io.sparknd.cluster.raw.RawArrays;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Arrays;

/**
 * Rows that keys name, numbered in the order in which the keys came. A version shares what it can
 * with the one before: keys lie in levels, each less than half the size of the one before it, as in
 * a log-structured merge tree. New keys become a level, together with the last ones while these are
 * not much larger; since rows of a level follow each other, to merge is to append. So a key is
 * copied a logarithmic number of times while the index grows, and most keys are found in the first
 * level, which is looked at first.
 */
final class KeyIndex implements RowIndex {
  static final KeyIndex EMPTY = new KeyIndex(new KeyLevel[0]);

  /** A level takes in the last one if that is at most so many times larger. */
  private static final long MERGED = 2;

  private final KeyLevel[] levels;

  private KeyIndex(KeyLevel[] levels) {
    this.levels = levels;
  }

  @Override
  public long size() {
    return levels.length == 0 ? 0 : levels[levels.length - 1].end();
  }

  @Override
  public long row(long key) {
    int hash = (int) HashedKeys.mix(key);
    for (KeyLevel level : levels) {
      long row = level.row(key, hash);
      if (row != ABSENT) {
        return row;
      }
    }
    return ABSENT;
  }

  @Override
  public long address(long row) {
    for (KeyLevel level : levels) {
      if (row < level.end()) {
        return level.key(row);
      }
    }
    throw new IndexOutOfBoundsException(row + " of " + size() + " rows");
  }

  /** Levels that a look-up of a key that is not there goes through. */
  int depth() {
    return levels.length;
  }

  /** Keys of the last level, the one that a version does not share with the version before. */
  int lastSize() {
    return levels[levels.length - 1].size();
  }

  /**
   * The index with more keys.
   *
   * @param added keys that it lacks, each once; the first {@code count} of the array, at least 1
   */
  KeyIndex with(long[] added, int count) {
    int kept = levels.length;
    int keys = count;
    while (kept > 0 && isMerged(levels[kept - 1].size(), keys)) {
      keys += levels[--kept].size();
    }
    long[] merged = new long[keys];
    int at = 0;
    for (int i = kept; i < levels.length; i++) {
      at += levels[i].copyTo(merged, at);
    }
    System.arraycopy(added, 0, merged, at, count);
    KeyLevel[] next = Arrays.copyOf(levels, kept + 1);
    next[kept] = KeyLevel.of(kept == 0 ? 0 : levels[kept - 1].end(), merged);
    return new KeyIndex(next);
  }

  private static boolean isMerged(long last, long keys) {
    return last <= MERGED * keys && last + keys <= KeyLevel.MOST;
  }

  @Override
  public long bytes() {
    return 40 + Arrays.stream(levels).mapToLong(level -> 8 + level.bytes()).sum();
  }

  @Override
  public void writeTo(RawArrays raw, OutputStream out) throws IOException {
    raw.writeInt(out, levels.length);
    for (KeyLevel level : levels) {
      level.writeTo(raw, out);
    }
  }

  static KeyIndex readFrom(int count, RawArrays raw, InputStream in) throws IOException {
    KeyLevel[] levels = new KeyLevel[count];
    for (int i = 0; i < count; i++) {
      levels[i] = KeyLevel.readFrom(i == 0 ? 0 : levels[i - 1].end(), raw, in);
    }
    return new KeyIndex(levels);
  }
}
