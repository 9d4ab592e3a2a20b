/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.history;

import java.io.Serializable;
import java.util.Arrays;
import java.util.BitSet;

/**
 * A set of versions of a table, as ranges: a file is in one range of them, or in some if the table
 * was rolled back. Its size does not depend on the number of versions. Immutable.
 */
public final class VersionSet implements Serializable {
  private static final long serialVersionUID = 1;

  static final VersionSet EMPTY = new VersionSet(new int[0]);

  /** The first version of each range, and the one after its last; ascending, without repeats. */
  private final int[] bounds;

  private VersionSet(int[] bounds) {
    this.bounds = bounds;
  }

  /** Returns whether a version is in the set. */
  public boolean contains(int version) {
    return (after(version) & 1) == 1;
  }

  /** Returns whether one of {@code versions} is in the set. */
  public boolean intersects(BitSet versions) {
    for (int range = 0; range < bounds.length; range += 2) {
      int next = versions.nextSetBit(bounds[range]);
      if (next >= 0 && next < bounds[range + 1]) {
        return true;
      }
    }
    return false;
  }

  /** Returns the versions that are in this set or in {@code other}. */
  VersionSet or(VersionSet other) {
    return merged(other, 1);
  }

  /** Returns the versions that are in this set and in {@code other}. */
  VersionSet and(VersionSet other) {
    return merged(other, 2);
  }

  /** Returns the versions that are in at least {@code least} of two sets. */
  private VersionSet merged(VersionSet other, int least) {
    int[] all = new int[bounds.length + other.bounds.length];
    System.arraycopy(bounds, 0, all, 0, bounds.length);
    System.arraycopy(other.bounds, 0, all, bounds.length, other.bounds.length);
    Arrays.sort(all);
    int count = 0;
    for (int version : all) {
      int in = (contains(version) ? 1 : 0) + (other.contains(version) ? 1 : 0);
      boolean isOpen = (count & 1) == 1;
      if (in >= least != isOpen) {
        all[count++] = version; // of those before, each is read already
      }
    }
    return new VersionSet(Arrays.copyOf(all, count));
  }

  boolean isEmpty() {
    return bounds.length == 0;
  }

  /** Returns the last version of a set that is not empty. */
  int last() {
    return bounds[bounds.length - 1] - 1;
  }

  /** Returns the number of bounds up to a version. */
  private int after(int version) {
    int found = Arrays.binarySearch(bounds, version);
    return found >= 0 ? found + 1 : -found - 1;
  }

  /** Collects versions, which come in ascending order. */
  static final class Builder {
    private int[] bounds = new int[2];
    private int count;

    /** Adds a version that is greater than all before. */
    void add(int version) {
      if (count > 0 && bounds[count - 1] == version) {
        bounds[count - 1]++;
        return;
      }
      if (count == bounds.length) {
        bounds = Arrays.copyOf(bounds, 2 * count);
      }
      bounds[count++] = version;
      bounds[count++] = version + 1;
    }

    VersionSet build() {
      return new VersionSet(Arrays.copyOf(bounds, count));
    }
  }
}
