/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.rows;

import io.sparknd.cluster.internal.partition.RawArrays;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/** Maps the addresses of a partition to rows. Immutable. */
sealed interface RowIndex permits DenseRowIndex, KeyIndex {
  /** Returned instead of a row number if there is no row. */
  long ABSENT = -1;

  /** Returns the index of a partition without written rows. */
  static RowIndex empty(RowDirectory directory, int partition) {
    return directory instanceof DenseIdDirectory dense
        ? new DenseRowIndex(dense.rowsIn(partition))
        : KeyIndex.EMPTY;
  }

  /** Returns the number of rows; row numbers are less than this. */
  long size();

  /** Returns the number of the row at {@code address}, or {@link #ABSENT}. */
  long row(long address);

  /** Returns the address of row {@code row}. */
  long address(long row);

  /** Returns the bytes on the heap, including shared ones. */
  long bytes();

  void writeTo(RawArrays raw, OutputStream out) throws IOException;

  static RowIndex readFrom(RawArrays raw, InputStream in) throws IOException {
    int levels = raw.readInt(in);
    return levels == DenseRowIndex.NO_LEVELS
        ? DenseRowIndex.readFrom(raw, in)
        : KeyIndex.readFrom(levels, raw, in);
  }
}
