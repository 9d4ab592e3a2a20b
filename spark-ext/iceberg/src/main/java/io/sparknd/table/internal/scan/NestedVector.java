/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.scan;

import java.util.Arrays;
import org.apache.spark.sql.execution.vectorized.OnHeapColumnVector;
import org.apache.spark.sql.execution.vectorized.WritableColumnVector;
import org.apache.spark.sql.types.BinaryType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.StringType;

/**
 * A vector of lists, nested to any depth, that is filled from repetition and definition levels.
 * Level 0 has the rows; an entry of a level is a list of entries of the next, and those of the last
 * level are values.
 */
final class NestedVector {
  private static final int CLOSED = -1;

  private final WritableColumnVector[] levels;
  private final int depth;
  private final boolean isFixedWidth;
  private final int[] counts;
  private final int[] open;
  private final int[] starts;

  /**
   * @param type the type of a row, lists of lists of any depth
   * @param rows the most rows
   */
  NestedVector(DataType type, int depth, int rows) {
    this.depth = depth;
    this.levels = new WritableColumnVector[depth + 1];
    levels[0] = new OnHeapColumnVector(rows, type);
    for (int level = 1; level <= depth; level++) {
      levels[level] = levels[level - 1].getChild(0);
    }
    DataType values = levels[depth].dataType();
    this.isFixedWidth =
        !(values instanceof StringType
            || values instanceof BinaryType
            || DecimalType.isByteArrayDecimalType(values));
    this.counts = new int[depth + 1];
    this.open = new int[depth];
    this.starts = new int[depth];
    Arrays.fill(open, CLOSED);
  }

  /** Returns whether all values have as many bytes. */
  boolean isFixedWidth() {
    return isFixedWidth;
  }

  WritableColumnVector rows() {
    return levels[0];
  }

  /** Returns the vector of values, with room for {@code count} in all. */
  WritableColumnVector values(int count) {
    levels[depth].reserve(count);
    return levels[depth];
  }

  void clear() {
    levels[0].reset();
    Arrays.fill(counts, 0);
  }

  int rowCount() {
    return counts[0];
  }

  int valueCount() {
    return counts[depth];
  }

  /** Returns the bytes of values that have no fixed width. */
  long variableBytes() {
    return isFixedWidth ? 0 : levels[depth].getChild(0).getElementsAppended();
  }

  /** Adds values to the list that is open at the last level. */
  void extend(int values) {
    counts[depth] += values;
  }

  /** Adds an entry at {@code level}, with new lists down to one value. */
  void begin(int level) {
    close(level);
    for (int k = level; k < depth; k++) {
      beginList(k);
    }
    counts[depth]++;
  }

  /** Adds an entry that is a list. */
  void beginList(int level) {
    open[level] = next(level);
    starts[level] = counts[level + 1];
  }

  /** Adds an entry that is a list without entries. */
  void addEmpty(int level) {
    levels[level].putArray(next(level), counts[level + 1], 0);
  }

  /** Adds an entry that is NULL. */
  void addNull(int level) {
    levels[level].putNull(next(level));
  }

  private int next(int level) {
    int entry = counts[level]++;
    levels[level].reserve(counts[level]);
    return entry;
  }

  /** Ends the lists at {@code level} and below. */
  void close(int level) {
    for (int k = depth - 1; k >= level; k--) {
      if (open[k] != CLOSED) {
        levels[k].putArray(open[k], starts[k], counts[k + 1] - starts[k]);
        open[k] = CLOSED;
      }
    }
  }
}
