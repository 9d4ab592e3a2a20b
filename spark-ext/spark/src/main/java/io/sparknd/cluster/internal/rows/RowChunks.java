/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.rows;

import java.util.Iterator;
import java.util.NoSuchElementException;
import org.apache.spark.sql.catalyst.InternalRow;

/** Decodes updates row by row. */
final class RowChunks implements Iterator<NumberedRows> {
  private final RowDecoder decoder;
  private final Iterator<InternalRow> rows;

  RowChunks(RowDecoder decoder, Iterator<InternalRow> rows) {
    this.decoder = decoder;
    this.rows = rows;
  }

  @Override
  public boolean hasNext() {
    return rows.hasNext();
  }

  @Override
  public NumberedRows next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    return decoder.decode(rows, decoder.value().capacity());
  }
}
