/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.rows;

import io.sparknd.cluster.internal.partition.RawArrays;
import io.sparknd.tensor.Storage;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/**
 * Keys of consecutive rows, and an open-addressing hash table of them, at most half full.
 *
 * @param first the row of the first key
 * @param keys keys in row order
 * @param table hash table: 1 more than the position of a key in {@code keys}, or 0 if empty
 */
record KeyLevel(long first, long[] keys, int[] table) {
  /**
   * Maximum keys of a level: a table twice as long is the largest array with a power-of-two length.
   */
  static final int MAX = 1 << 29;

  static KeyLevel of(long first, long[] keys) {
    int[] table = new int[Math.max(2, Integer.highestOneBit(2 * keys.length - 1) << 1)];
    KeyLevel level = new KeyLevel(first, keys, table);
    for (int i = 0; i < keys.length; i++) {
      table[level.slot(keys[i], (int) HashedKeyDirectory.mix(keys[i]))] = i + 1;
    }
    return level;
  }

  /** Returns the slot that contains {@code key}, otherwise the slot for its insertion. */
  private int slot(long key, int hash) {
    int mask = table.length - 1;
    int slot = hash & mask;
    while (table[slot] != 0 && keys[table[slot] - 1] != key) {
      slot = slot + 1 & mask;
    }
    return slot;
  }

  /**
   * Returns the row of {@code key}, or {@link RowIndex#ABSENT}.
   *
   * @param hash lower half of the mixed key
   */
  long row(long key, int hash) {
    int entry = table[slot(key, hash)];
    return entry == 0 ? RowIndex.ABSENT : first + entry - 1;
  }

  int size() {
    return keys.length;
  }

  /** Returns the row after the last one. */
  long end() {
    return first + keys.length;
  }

  long key(long row) {
    return keys[(int) (row - first)];
  }

  /** Copies the keys to {@code to[at ..]} and returns their number. */
  int copyTo(long[] to, int at) {
    System.arraycopy(keys, 0, to, at, keys.length);
    return keys.length;
  }

  long bytes() {
    return 72 + 8L * keys.length + 4L * table.length;
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
