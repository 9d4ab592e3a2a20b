/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.file;

import io.sparknd.table.internal.key.KeyList;
import java.util.Arrays;

/** Finds rows whose keys are wanted. Fast if rows are sorted by key, as ours are. */
final class KeyMatcher {
  /** Wanted keys that are compared one by one before the search becomes binary. */
  private static final int STEPS = 8;

  private final KeyList wanted;
  private int[] keys = new int[16];
  private int[] positions = new int[16];
  private int count;

  /** The first wanted key that is not less than the last row's. */
  private int next;

  /** Prefixes of the wanted keys before {@link #next} and at it. */
  private long before = Long.MIN_VALUE;

  private long after;

  /**
   * @param wanted ascending
   */
  KeyMatcher(KeyList wanted) {
    this.wanted = wanted;
    this.after = prefix(0, Long.MAX_VALUE);
  }

  private long prefix(int key, long none) {
    return key >= 0 && key < wanted.count() ? wanted.prefix(key) : none;
  }

  /**
   * Takes a row if its key is wanted.
   *
   * @param key a list of the row's key alone
   */
  void add(KeyList key, int position) {
    long prefix = key.prefix(0);
    if (prefix > before && prefix < after) { // most rows are between two wanted keys
      return;
    }
    next = find(key);
    before = prefix(next - 1, Long.MIN_VALUE);
    after = prefix(next, Long.MAX_VALUE);
    if (next < wanted.count() && wanted.compare(next, key, 0) == 0) {
      if (count == keys.length) {
        keys = Arrays.copyOf(keys, 2 * count);
        positions = Arrays.copyOf(positions, 2 * count);
      }
      keys[count] = next;
      positions[count++] = position;
    }
  }

  /** Returns the first wanted key that is not less than a row's. */
  private int find(KeyList key) {
    int at = next;
    if (at > 0 && wanted.compare(at - 1, key, 0) >= 0) {
      at = 0; // the file is not sorted here
    }
    int steps = 0;
    while (at < wanted.count() && wanted.compare(at, key, 0) < 0) {
      at++;
      if (++steps == STEPS) {
        int found = wanted.search(at, key, 0);
        return found >= 0 ? found : -1 - found;
      }
    }
    return at;
  }

  KeyMatches matches() {
    return new KeyMatches(Arrays.copyOf(keys, count), Arrays.copyOf(positions, count));
  }
}
