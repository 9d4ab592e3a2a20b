/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.file;

import io.sparknd.tensor.Shape;

/**
 * The repetition levels of a row that holds one slice: 0 where the row begins, k where the list at
 * depth k goes on.
 */
final class RowPattern {
  /** That of a column with one value to a row. */
  static final RowPattern SCALAR = new RowPattern(Shape.of());

  private final int depth;
  private final byte[] levels;
  private final int[] runEnds;

  RowPattern(Shape slice) {
    depth = slice.rank();
    levels = levels(slice);
    runEnds = runEnds(levels);
  }

  private static byte[] levels(Shape slice) {
    byte[] levels = new byte[Math.toIntExact(slice.elements())];
    for (int i = 1; i < levels.length; i++) {
      int level = slice.rank();
      long rest = i;
      for (int axis = slice.rank() - 1; rest % slice.dim(axis) == 0; axis--) {
        rest /= slice.dim(axis);
        level--;
      }
      levels[i] = (byte) level;
    }
    return levels;
  }

  private static int[] runEnds(byte[] levels) {
    int[] ends = new int[levels.length];
    for (int i = levels.length - 1; i >= 0; i--) {
      boolean last = i == levels.length - 1 || levels[i + 1] != levels[i];
      ends[i] = last ? i + 1 : ends[i + 1];
    }
    return ends;
  }

  /** The deepest level. */
  int depth() {
    return depth;
  }

  /** Values of a row. */
  int length() {
    return levels.length;
  }

  int level(int position) {
    return levels[position];
  }

  /** The first position after {@code position} whose level differs, or the row's end. */
  int runEnd(int position) {
    return runEnds[position];
  }
}
