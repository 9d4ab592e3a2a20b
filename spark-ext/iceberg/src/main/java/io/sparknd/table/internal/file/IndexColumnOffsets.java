/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.file;

import io.sparknd.table.internal.TableErrors;
import io.sparknd.tensor.Shape;
import java.io.IOException;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/** Reads the index columns of a file as offsets. */
final class IndexColumnOffsets {
  private IndexColumnOffsets() {}

  /** The offset of a row that is deleted, whose index may be out of bounds. */
  private static final long DELETED = -1;

  static long[] read(RowFileReader file) throws IOException {
    return read(file, row -> false);
  }

  /** Reads offsets; those of deleted rows are -1. */
  static long[] read(RowFileReader file, IntPredicate deleted) throws IOException {
    List<LeafColumn> leaves = file.indexLeaves();
    Shape outer = file.format().outer();
    long[] offsets = column(file, leaves.get(0), deleted);
    check(file, outer.dim(0), offsets, leaves.get(0), deleted);
    for (int axis = 1; axis < leaves.size(); axis++) {
      long[] column = column(file, leaves.get(axis), deleted);
      check(file, outer.dim(axis), column, leaves.get(axis), deleted);
      for (int row = 0; row < offsets.length; row++) {
        offsets[row] = offsets[row] * outer.dim(axis) + column[row];
      }
    }
    for (int row = 0; row < offsets.length; row++) {
      offsets[row] = deleted.test(row) ? DELETED : offsets[row];
    }
    return offsets;
  }

  private static long[] column(RowFileReader file, LeafColumn leaf, IntPredicate deleted)
      throws IOException {
    long[] column = new long[file.rows()];
    try {
      file.readAll(List.of(leaf), column, 0, 1);
    } catch (InvalidRowException bad) {
      if (!deleted.test((int) bad.row())) {
        throw bad;
      }
      int[] live = IntStream.range(0, file.rows()).filter(row -> !deleted.test(row)).toArray();
      file.readSome(List.of(leaf), new RowSelection(live, live, 0, live.length, 0), column, 1);
    }
    return column;
  }

  private static void check(
      RowFileReader file, long size, long[] column, LeafColumn leaf, IntPredicate deleted) {
    for (int row = 0; row < column.length; row++) {
      if ((column[row] < 0 || column[row] >= size) && !deleted.test(row)) {
        throw TableErrors.badIndexInFile(
            file.name(), row, leaf.name(), column[row], file.format().outer());
      }
    }
  }
}
