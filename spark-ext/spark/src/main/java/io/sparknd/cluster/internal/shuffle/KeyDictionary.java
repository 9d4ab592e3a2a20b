/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.shuffle;

import java.util.Arrays;

/**
 * Assigns codes to distinct keys, from 0 in the order of first occurrence. It is an open-addressing
 * table of primitives, since a gather looks up every slot of its result.
 */
public final class KeyDictionary {
  /** Maximum bytes for each key in the table, which is at least a quarter full. */
  static final int KEY_BYTES = 4 * (Long.BYTES + Integer.BYTES);

  private static final int EMPTY = -1;

  /** Slots that {@link #codes} reads ahead. */
  private static final int AHEAD = 32;

  /** Maximum slots that {@link #codes} allocates before it knows how many keys are distinct. */
  private static final int RESERVED = 1 << 20;

  private long[] keys = new long[64];
  private int[] codes = filled(64);
  private int count;

  /** Sum of what was read ahead, so that the reads are not optimized away. */
  @SuppressWarnings("UnusedVariable")
  private long touched;

  private static int[] filled(int length) {
    int[] codes = new int[length];
    Arrays.fill(codes, EMPTY);
    return codes;
  }

  /** Returns the number of distinct keys. */
  public int count() {
    return count;
  }

  /** Removes every key. */
  public void clear() {
    Arrays.fill(codes, EMPTY);
    count = 0;
  }

  /** Returns the code of {@code key}. A new key gets the current {@code count()}. */
  public int code(long key) {
    int slot = slot(keys, codes, key);
    if (codes[slot] == EMPTY) {
      if (2 * count >= keys.length) {
        grow();
        slot = slot(keys, codes, key);
      }
      keys[slot] = key;
      codes[slot] = count++;
    }
    return codes[slot];
  }

  /** Returns whether {@code key} has a code. */
  public boolean contains(long key) {
    return codes[slot(keys, codes, key)] != EMPTY;
  }

  /**
   * Returns the code of each of the first {@code count} keys, as {@link #code} does one after the
   * other. Large tables do not fit the caches of a CPU, so several slots are read before they are
   * needed.
   */
  public int[] codes(long[] of, int count) {
    reserve(count);
    int[] result = new int[count];
    for (int from = 0; from < count; from += AHEAD) {
      int to = Math.min(from + AHEAD, count);
      touch(of, from, to);
      for (int i = from; i < to; i++) {
        result[i] = code(of[i]);
      }
    }
    return result;
  }

  private void touch(long[] of, int from, int to) {
    for (int i = from; i < to; i++) {
      int slot = home(of[i], keys.length - 1);
      touched += codes[slot] + keys[slot];
    }
  }

  /**
   * Makes a dictionary that is still empty large enough for {@code more} distinct keys. Many keys
   * may occur often, so large dictionaries grow by what is in them.
   */
  private void reserve(int more) {
    while (count == 0 && keys.length < Math.min(more, RESERVED)) {
      grow();
    }
  }

  private static int home(long key, int mask) {
    return (int) (key * 0x9e37_79b9_7f4a_7c15L >>> 32) & mask;
  }

  private static int slot(long[] keys, int[] codes, long key) {
    int mask = keys.length - 1;
    int slot = home(key, mask);
    while (codes[slot] != EMPTY && keys[slot] != key) {
      slot = slot + 1 & mask;
    }
    return slot;
  }

  private void grow() {
    long[] largerKeys = new long[2 * keys.length];
    int[] largerCodes = filled(largerKeys.length);
    for (int i = 0; i < keys.length; i++) {
      if (codes[i] != EMPTY) {
        int slot = slot(largerKeys, largerCodes, keys[i]);
        largerKeys[slot] = keys[i];
        largerCodes[slot] = codes[i];
      }
    }
    keys = largerKeys;
    codes = largerCodes;
  }
}
