/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.nearest;

import io.sparknd.embedding.internal.IndexFields;
import java.io.IOException;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.NumericDocValues;
import org.jspecify.annotations.Nullable;

/** The ids of the rows that have a vector, ascending. */
final class VectorRowIds {
  private final NumericDocValues ids;

  /** Null in an index of an earlier version, in which each row has a vector. */
  private final @Nullable NumericDocValues rows;

  private int next;
  private long end;

  VectorRowIds(LeafReader reader) throws IOException {
    ids = reader.getNumericDocValues(IndexFields.ID);
    rows = reader.getNumericDocValues(IndexFields.ROWS);
  }

  /**
   * Goes to the rows of a vector.
   *
   * @param document that of the vector, after those before
   */
  void advance(int document) throws IOException {
    next = document;
    end = document + (rows != null && rows.advanceExact(document) ? rows.longValue() : 1);
  }

  boolean hasNext() {
    return next < end;
  }

  long next() throws IOException {
    ids.advance(next++);
    return ids.longValue();
  }
}
