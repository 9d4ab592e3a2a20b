/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.rows;

import io.sparknd.cluster.internal.partition.RawArrays;
import io.sparknd.tensor.Storage;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/** An index whose addresses are row numbers. */
record DenseRowIndex(long size) implements RowIndex {
  /** Marks this index in a stream, in place of the number of levels. */
  static final int NO_LEVELS = -1;

  @Override
  public long row(long address) {
    return address;
  }

  @Override
  public long address(long row) {
    return row;
  }

  @Override
  public long bytes() {
    return 24;
  }

  @Override
  public void writeTo(RawArrays raw, OutputStream out) throws IOException {
    raw.writeInt(out, NO_LEVELS);
    raw.write(out, Storage.LONG, new long[] {size}, 0, 1);
  }

  static DenseRowIndex readFrom(RawArrays raw, InputStream in) throws IOException {
    long[] size = new long[1];
    raw.read(in, Storage.LONG, size, 0, 1);
    return new DenseRowIndex(size[0]);
  }
}
