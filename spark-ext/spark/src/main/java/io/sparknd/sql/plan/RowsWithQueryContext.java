/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.sql.plan;

import io.sparknd.cluster.spark.SparkNdRuntimeException;
import io.sparknd.tensor.SparkNdException;
import java.util.Iterator;
import org.apache.spark.QueryContext;
import org.apache.spark.sql.catalyst.InternalRow;

/**
 * Rows that a task makes; what it refuses has the place of the call in the statement.
 *
 * @param place null where there is no statement
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
