/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.keyed;

import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/** The file and the position where each wanted row is stored. */
final class MatchedRows {
  private final int[] files;
  private final int[] positions;
  private final TreeMap<Integer, BitSet> used = new TreeMap<>();

  MatchedRows(int count) {
    this.files = new int[count];
    this.positions = new int[count];
    Arrays.fill(files, -1);
  }

  /** Sets where a row is stored; returns whether that was not known. */
  boolean set(int row, int file, int position) {
    if (files[row] >= 0) {
      return false;
    }
    files[row] = file;
    positions[row] = position;
    used.computeIfAbsent(file, absent -> new BitSet()).set(position);
    return true;
  }

  /** Returns the files that have rows, ascending. */
  int[] files() {
    return used.keySet().stream().mapToInt(Integer::intValue).toArray();
  }

  /** Returns the positions of a file that have rows, ascending. */
  int[] positions(int file) {
    return used.getOrDefault(file, new BitSet()).stream().toArray();
  }

  /**
   * Returns the slot of each row; -1 if it is stored nowhere.
   *
   * @param firstSlots the slot of each file's first position; its others follow
   */
  int[] slots(Map<Integer, Integer> firstSlots) {
    int[] slots = new int[files.length];
    Arrays.fill(slots, -1);
    Map<Integer, int[]> stored = new HashMap<>();
    used.forEach((file, some) -> stored.put(file, some.stream().toArray()));
    for (int row = 0; row < slots.length; row++) {
      int[] ofFile = stored.get(files[row]);
      Integer first = firstSlots.get(files[row]);
      if (ofFile != null && first != null) {
        slots[row] = first + Arrays.binarySearch(ofFile, positions[row]);
      }
    }
    return slots;
  }
}
