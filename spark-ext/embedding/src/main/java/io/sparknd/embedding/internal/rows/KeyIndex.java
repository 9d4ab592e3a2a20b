/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.rows;

import io.sparknd.cluster.internal.partition.RawArrays;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Arrays;

/**
 * An index from keys to rows, numbered in the order in which keys were added. Keys are stored in
 * levels, as in a log-structured merge tree, and versions share levels. A level has less than half
 * the keys of the previous one, unless their union would exceed {@link KeyLevel#MAX}. New keys form
 * a level, merged with the last levels while these are not much larger. The rows of a level are
 * consecutive, so merging is appending. A key is therefore copied a logarithmic number of times
 * while the index grows, and most keys are found in the first level, which is searched first.
 */
final class KeyIndex implements RowIndex {
  static final KeyIndex EMPTY = new KeyIndex(new KeyLevel[0]);

  /** Maximum ratio of the last level to the new one for a merge. */
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
    int hash = (int) HashedKeyDirectory.mix(key);
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

  /** Returns the number of levels, all of which the lookup of a missing key searches. */
  int depth() {
    return levels.length;
  }

  /**
   * Returns the number of keys in the last level, which is not shared with the previous version.
   */
  int lastSize() {
    return levels[levels.length - 1].size();
  }

  /**
   * Returns the index with more keys.
   *
   * @param added new keys, each once; the first {@code count} of the array are used
   * @param count number of new keys, at least 1
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
    return last <= MERGED * keys && last + keys <= KeyLevel.MAX;
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
