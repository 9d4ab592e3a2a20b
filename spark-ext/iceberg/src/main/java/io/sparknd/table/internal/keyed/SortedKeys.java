/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.keyed;

import io.sparknd.table.internal.ArrayLimitException;
import io.sparknd.table.internal.key.KeyList;
import io.sparknd.tensor.Storage;
import java.util.Arrays;
import java.util.List;

/**
 * Rows ascending by key, with the slots of their cells.
 *
 * @param order indices of keys in ascending order
 * @param slots slots by index of the key
 */
record SortedKeys(KeyList keys, int[] order, int[] slots) {

  /** Returns keys that ascend already; a key's slot is its index. */
  static SortedKeys ascending(KeyList keys) {
    int[] order = new int[keys.count()];
    for (int i = 0; i < order.length; i++) {
      order[i] = i;
    }
    return new SortedKeys(keys, order, order);
  }

  /**
   * Returns keys in any order; a key's slot is {@code firstSlot} and its index.
   *
   * @param keys distinct
   */
  static SortedKeys of(KeyList keys, int firstSlot) {
    Integer[] boxed = new Integer[keys.count()];
    int[] slots = new int[boxed.length];
    boolean ascends = true;
    for (int i = 0; i < boxed.length; i++) {
      boxed[i] = i;
      slots[i] = firstSlot + i;
      ascends &= i == 0 || keys.compare(i - 1, keys, i) < 0;
    }
    if (!ascends) {
      Arrays.sort(boxed, (a, b) -> keys.compare(a, keys, b));
    }
    int[] order = new int[boxed.length];
    for (int i = 0; i < order.length; i++) {
      order[i] = boxed[i];
    }
    return new SortedKeys(keys, order, slots);
  }

  int count() {
    return order.length;
  }

  /** Returns the index in {@link #keys} of the i-th row. */
  int key(int i) {
    return order[i];
  }

  /** Returns the slot of the i-th row. */
  int slot(int i) {
    return slots[order[i]];
  }

  /** Returns the slot of a key of another list; -1 if this one does not have it. */
  int slotOf(KeyList other, int otherKey) {
    int low = 0;
    int high = count() - 1;
    while (low <= high) {
      int middle = low + high >>> 1;
      int compared = keys.compare(key(middle), other, otherKey);
      if (compared == 0) {
        return slot(middle);
      }
      low = compared < 0 ? middle + 1 : low;
      high = compared < 0 ? high : middle - 1;
    }
    return -1;
  }

  /** Returns the rows at some places, ascending. */
  SortedKeys select(List<Integer> some) {
    return new SortedKeys(keys, some.stream().mapToInt(i -> order[i]).toArray(), slots);
  }

  /**
   * Merges both; common keys appear twice.
   *
   * @throws ArrayLimitException if they do not fit one array
   */
  SortedKeys mergedWith(SortedKeys other) {
    KeyList merged = new KeyList();
    long most = (long) count() + other.count();
    ArrayLimitException.requireAtMost("keys", most, Storage.MAX_LENGTH);
    int total = count() + other.count();
    int[] from = new int[total];
    int[] ascending = new int[total];
    int left = 0;
    int right = 0;
    for (int i = 0; i < total; i++) {
      boolean takesLeft =
          right == other.count()
              || left < count() && keys.compare(key(left), other.keys, other.key(right)) < 0;
      merged.add(takesLeft ? keys : other.keys, takesLeft ? key(left) : other.key(right));
      from[i] = takesLeft ? slot(left++) : other.slot(right++);
      ascending[i] = i;
    }
    return new SortedKeys(merged, ascending, from);
  }

  /** Returns the index of a key that occurs more than once; -1 if there is none. */
  int repeated() {
    for (int i = 1; i < count(); i++) {
      if (keys.compare(key(i - 1), keys, key(i)) == 0) {
        return key(i);
      }
    }
    return -1;
  }
}
