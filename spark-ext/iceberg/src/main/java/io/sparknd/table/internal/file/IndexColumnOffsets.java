/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.file;

import io.sparknd.table.internal.TableErrors;
import io.sparknd.tensor.Shape;
import java.io.IOException;
import java.util.List;

/** Reads the index columns of a file as offsets. */
final class IndexColumnOffsets {
  private IndexColumnOffsets() {}

  static long[] read(RowFileReader file) throws IOException {
    List<LeafColumn> leaves = file.indexLeaves();
    Shape outer = file.format().outer();
    long[] offsets = column(file, leaves.get(0));
    check(file, outer.dim(0), offsets, leaves.get(0));
    for (int axis = 1; axis < leaves.size(); axis++) {
      long[] column = column(file, leaves.get(axis));
      check(file, outer.dim(axis), column, leaves.get(axis));
      for (int row = 0; row < offsets.length; row++) {
        offsets[row] = offsets[row] * outer.dim(axis) + column[row];
      }
    }
    return offsets;
  }

  private static long[] column(RowFileReader file, LeafColumn leaf) throws IOException {
    long[] column = new long[file.rows()];
    file.readAll(List.of(leaf), column, 0, 1);
    return column;
  }

  private static void check(RowFileReader file, long size, long[] column, LeafColumn leaf) {
    for (int row = 0; row < column.length; row++) {
      if (column[row] < 0 || column[row] >= size) {
        throw TableErrors.badIndexInFile(
            file.name(), row, leaf.name(), column[row], file.format().outer());
      }
    }
  }
}
