/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.tables;

import io.sparknd.cluster.internal.rows.RowIndices;
import java.util.Iterator;
import org.apache.spark.sql.catalyst.InternalRow;

/**
 * The rows of a partition, whose indices are checked as they are read.
 *
 * @param indices throws the error of a bad index
 */
record CheckedIndices(Iterator<InternalRow> rows, RowIndices indices)
    implements Iterator<InternalRow> {
  @Override
  public boolean hasNext() {
    return rows.hasNext();
  }

  @Override
  public InternalRow next() {
    InternalRow row = rows.next();
    indices.offset(row);
    return row;
  }
}
