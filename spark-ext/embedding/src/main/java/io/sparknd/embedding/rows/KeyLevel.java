/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.rows;

import io.sparknd.cluster.raw.RawArrays;
import io.sparknd.tensor.Storage;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/**
 * Keys of rows that follow each other, and an open-addressing table of them, at most half full.
 *
 * @param first the row of the first key
 * @param keys in the order of their rows
 * @param places 1 more than the place of a key in {@code keys}; 0 where there is none
 */
record KeyLevel(long first, long[] keys, int[] places) {
  /** Keys of a level: the table of twice as many is the largest array of a power of two. */
  static final int MOST = 1 << 29;

  static KeyLevel of(long first, long[] keys) {
    int[] places = new int[Math.max(2, Integer.highestOneBit(2 * keys.length - 1) << 1)];
    KeyLevel level = new KeyLevel(first, keys, places);
    for (int i = 0; i < keys.length; i++) {
      places[level.slot(keys[i], (int) HashedKeys.mix(keys[i]))] = i + 1;
    }
    return level;
  }

  /** The slot that has {@code key}, else the one where it would go. */
  private int slot(long key, int hash) {
    int mask = places.length - 1;
    int slot = hash & mask;
    while (places[slot] != 0 && keys[places[slot] - 1] != key) {
      slot = slot + 1 & mask;
    }
    return slot;
  }

  /**
   * The row of {@code key}, or {@link RowIndex#ABSENT}.
   *
   * @param hash lower half of the mixed key
   */
  long row(long key, int hash) {
    int place = places[slot(key, hash)];
    return place == 0 ? RowIndex.ABSENT : first + place - 1;
  }

  int size() {
    return keys.length;
  }

  /** The row after the last. */
  long end() {
    return first + keys.length;
  }

  long key(long row) {
    return keys[(int) (row - first)];
  }

  /** Copies the keys to {@code to[at ..]}; how many there are. */
  int copyTo(long[] to, int at) {
    System.arraycopy(keys, 0, to, at, keys.length);
    return keys.length;
  }

  long bytes() {
    return 72 + 8L * keys.length + 4L * places.length;
  }

  void writeTo(RawArrays raw, OutputStream out) throws IOException {
    raw.writeInt(out, keys.length);
    raw.write(out, Storage.LONG, keys, 0, keys.length);
  }

  static KeyLevel readFrom(long first, RawArrays raw, InputStream in) throws IOException {
    long[] keys = new long[raw.readInt(in)];
    raw.read(in, Storage.LONG, keys, 0, keys.length);
    return of(first, keys);
  }
}
