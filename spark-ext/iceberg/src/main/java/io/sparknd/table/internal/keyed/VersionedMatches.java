/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.keyed;

import java.util.Arrays;
import java.util.BitSet;

/** Rows that match positions of a file, grouped by the version in which they want them. */
final class VersionedMatches {
  private final BitSet versions = new BitSet();
  private final int[] first;
  private int[] after = new int[16];
  private int[] rows = new int[16];
  private int[] positions = new int[16];
  private int count;

  /**
   * @param versions the number of all versions
   */
  VersionedMatches(int versions) {
    this.first = new int[versions];
    Arrays.fill(first, -1);
  }

  void add(int version, int row, int position) {
    if (count == rows.length) {
      after = Arrays.copyOf(after, 2 * count);
      rows = Arrays.copyOf(rows, 2 * count);
      positions = Arrays.copyOf(positions, 2 * count);
    }
    versions.set(version);
    after[count] = first[version];
    first[version] = count;
    rows[count] = row;
    positions[count++] = position;
  }

  /** Returns the versions that have matches, ascending. */
  int[] versions() {
    return versions.stream().toArray();
  }

  /** Returns a match of a version. */
  int first(int version) {
    return first[version];
  }

  /** Returns another match of the same version; -1 if there is none left. */
  int after(int match) {
    return after[match];
  }

  int row(int match) {
    return rows[match];
  }

  int position(int match) {
    return positions[match];
  }
}
