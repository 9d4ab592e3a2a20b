/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.feed;

import java.io.Serializable;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Ids of a chunk, in 4 bytes each if all are in the range of an int, else in 8. */
final class PackedIds implements Serializable {
  private static final long serialVersionUID = 1;

  private final int @Nullable [] ints;
  private final long @Nullable [] longs;

  private PackedIds(int @Nullable [] ints, long @Nullable [] longs) {
    this.ints = ints;
    this.longs = longs;
  }

  /** Packs the first {@code count} ids. */
  static PackedIds of(long[] ids, int count) {
    int[] ints = new int[count];
    for (int i = 0; i < count; i++) {
      ints[i] = (int) ids[i];
      if (ints[i] != ids[i]) {
        return new PackedIds(null, Arrays.copyOf(ids, count));
      }
    }
    return new PackedIds(ints, null);
  }

  /** Copies {@code count} ids from position {@code from} on. */
  void copy(int from, int count, long[] to, int at) {
    if (longs != null) {
      System.arraycopy(longs, from, to, at, count);
      return;
    }
    int[] all = Objects.requireNonNull(ints);
    for (int i = 0; i < count; i++) {
      to[at + i] = all[from + i];
    }
  }
}
