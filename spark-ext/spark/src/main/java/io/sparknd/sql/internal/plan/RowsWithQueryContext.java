/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.sql.internal.plan;

import io.sparknd.cluster.internal.spark.SparkNdRuntimeException;
import io.sparknd.tensor.SparkNdException;
import java.util.Iterator;
import org.apache.spark.QueryContext;
import org.apache.spark.sql.catalyst.InternalRow;

/**
 * Rows produced by a task; adds the call's position in the statement to their errors.
 *
 * @param place position of the call; null if there is no statement
 */
record RowsWithQueryContext(Iterator<InternalRow> rows, QueryContext place)
    implements Iterator<InternalRow> {
  @Override
  public boolean hasNext() {
    try {
      return rows.hasNext();
    } catch (SparkNdException e) {
      throw SparkNdRuntimeException.at(place, e);
    }
  }

  @Override
  public InternalRow next() {
    try {
      return rows.next();
    } catch (SparkNdException e) {
      throw SparkNdRuntimeException.at(place, e);
    }
  }
}
