/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.shuffle;

import java.util.Arrays;

/**
 * Numbers distinct keys from 0 in the order of first occurrence. It is an open-addressing table of
 * primitives, since a gather looks up every slot of its result.
 */
public final class KeyDictionary {
  /** Maximum bytes for each key in the table, which is at least a quarter full. */
  static final int KEY_BYTES = 4 * (Long.BYTES + Integer.BYTES);

  private static final int EMPTY = -1;

  private long[] keys = new long[64];
  private int[] numbers = filled(64);
  private int count;

  private static int[] filled(int length) {
    int[] numbers = new int[length];
    Arrays.fill(numbers, EMPTY);
    return numbers;
  }

  /** Returns the number of distinct keys. */
  public int count() {
    return count;
  }

  /** Removes every key. */
  public void clear() {
    Arrays.fill(numbers, EMPTY);
    count = 0;
  }

  /** Returns the number of {@code key}. A new key gets the current {@code count()}. */
  public int number(long key) {
    int slot = slot(keys, numbers, key);
    if (numbers[slot] == EMPTY) {
      if (2 * count >= keys.length) {
        grow();
        slot = slot(keys, numbers, key);
      }
      keys[slot] = key;
      numbers[slot] = count++;
    }
    return numbers[slot];
  }

  private static int slot(long[] keys, int[] numbers, long key) {
    int mask = keys.length - 1;
    long mixed = key * 0x9e37_79b9_7f4a_7c15L;
    int slot = (int) (mixed >>> 32) & mask;
    while (numbers[slot] != EMPTY && keys[slot] != key) {
      slot = slot + 1 & mask;
    }
    return slot;
  }

  private void grow() {
    long[] largerKeys = new long[2 * keys.length];
    int[] largerNumbers = filled(largerKeys.length);
    for (int i = 0; i < keys.length; i++) {
      if (numbers[i] != EMPTY) {
        int slot = slot(largerKeys, largerNumbers, keys[i]);
        largerKeys[slot] = keys[i];
        largerNumbers[slot] = numbers[i];
      }
    }
    keys = largerKeys;
    numbers = largerNumbers;
  }
}
