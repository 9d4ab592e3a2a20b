/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.sql.internal.plan;

import io.sparknd.cluster.internal.spark.SparkNdRuntimeException;
import io.sparknd.tensor.SparkNdException;
import java.util.Iterator;
import org.apache.spark.QueryContext;
import org.apache.spark.api.java.function.FlatMapFunction;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.execution.metric.SQLMetric;

/**
 * Rows produced by a task; counts them, and adds the call's position in the statement to their
 * errors.
 *
 * @param place position of the call; null if there is no statement
 */
record RowsWithQueryContext(Iterator<InternalRow> rows, SQLMetric count, QueryContext place)
    implements Iterator<InternalRow> {

  /**
   * The task.
   *
   * @param place position of the call; null if there is no statement
   */
  record Task(SQLMetric count, QueryContext place)
      implements FlatMapFunction<Iterator<InternalRow>, InternalRow> {
    @Override
    public Iterator<InternalRow> call(Iterator<InternalRow> rows) {
      return new RowsWithQueryContext(rows, count, place);
    }
  }

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
    count.add(1);
    try {
      return rows.next();
    } catch (SparkNdException e) {
      throw SparkNdRuntimeException.at(place, e);
    }
  }
}
