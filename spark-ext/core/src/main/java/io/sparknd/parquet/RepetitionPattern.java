/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.parquet;

import io.sparknd.tensor.Shape;

/**
 * The repetition levels of a row that holds one slice: 0 at the row's start, k where the list at
 * depth k continues.
 */
public final class RepetitionPattern {
  /** The pattern of a column with one value per row. */
  public static final RepetitionPattern SCALAR = new RepetitionPattern(Shape.of());

  private final int depth;
  private final byte[] levels;
  private final int[] runEnds;

  public RepetitionPattern(Shape slice) {
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
  public int depth() {
    return depth;
  }

  /** The number of values in a row. */
  public int length() {
    return levels.length;
  }

  /** The repetition level at {@code position} in a row. */
  public int level(int position) {
    return levels[position];
  }

  /** The first position after {@code position} whose level differs, or the row's end. */
  public int runEnd(int position) {
    return runEnds[position];
  }

  /**
   * Returns the number of leading values of a page whose repetition levels match this pattern.
   *
   * @param position the position within a row at which the page begins
   */
  public int matchingValues(PageParts page, int position) {
    if (depth == 0) {
      return page.count();
    }
    LevelRuns runs = new LevelRuns(page.repetitions(), depth, page.count());
    int at = position;
    while (runs.next()) {
      for (int done = 0; done < runs.length(); ) {
        if (level(at) != runs.value()) {
          return runs.start() + done;
        }
        int step = Math.min(runs.length() - done, runEnd(at) - at);
        at = at + step == length() ? 0 : at + step;
        done += step;
      }
    }
    return page.count();
  }
}
