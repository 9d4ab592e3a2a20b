/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.rows;

import io.sparknd.cluster.raw.RawArrays;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/** Which row of a partition has an address. Never written after it is made. */
sealed interface RowIndex permits DenseRowIndex, KeyIndex {
  /** In place of the number of a row that is not there. */
  long ABSENT = -1;

  /** Of a partition of which no row was written. */
  static RowIndex empty(RowDirectory ids, int partition) {
    return ids instanceof DenseIdDirectory numbered
        ? new DenseRowIndex(numbered.rowsIn(partition))
        : KeyIndex.EMPTY;
  }

  /** Rows are numbered below. */
  long size();

  /** The number of the row at {@code address}, or {@link #ABSENT}. */
  long row(long address);

  /** The address of row {@code row}. */
  long address(long row);

  /** Bytes on the heap, of all that it has. */
  long bytes();

  void writeTo(RawArrays raw, OutputStream out) throws IOException;

  static RowIndex readFrom(RawArrays raw, InputStream in) throws IOException {
    int levels = raw.readInt(in);
    return levels == DenseRowIndex.NO_LEVELS
        ? DenseRowIndex.readFrom(raw, in)
        : KeyIndex.readFrom(levels, raw, in);
  }
}
