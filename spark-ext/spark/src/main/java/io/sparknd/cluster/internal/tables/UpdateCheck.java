/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.tables;

import io.sparknd.cluster.internal.rows.NumberedRows;
import io.sparknd.cluster.internal.rows.RowErrors;
import io.sparknd.cluster.internal.rows.RowUpdates;
import io.sparknd.cluster.internal.shuffle.ScatterMetricsAccumulator;
import io.sparknd.cluster.internal.spark.PartitionTasks;
import io.sparknd.cluster.internal.spark.TaskErrors;
import io.sparknd.cluster.options.TensorColumns;
import io.sparknd.metrics.ScatterMetrics;
import io.sparknd.op.IndexPlan;
import io.sparknd.op.IndexPolicy;
import io.sparknd.op.Indexing;
import io.sparknd.op.SliceOffsets;
import io.sparknd.tensor.Shape;
import java.util.Collections;
import java.util.Iterator;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.function.FlatMapFunction2;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/** Checks the indices of updates where they are read; sends nothing. */
final class UpdateCheck {
  private UpdateCheck() {}

  /**
   * Runs a job that reads the indices of updates.
   *
   * @return the counts of updates and of dropped ones
   * @throws io.sparknd.tensor.SparkNdException for the first row with a bad or null index
   */
  static ScatterMetrics run(
      Shape shape, IndexPolicy policy, Dataset<Row> updates, TensorColumns columns) {
    SparkSession spark = updates.sparkSession();
    int depth = columns.indices().size();
    IndexPlan plan = Indexing.tuples().plan(shape, Shape.of(0, depth));
    RowErrors rowErrors = RowErrors.registered(spark, shape.first(depth));
    ScatterMetricsAccumulator accumulator = ScatterMetricsAccumulator.registered(spark);
    JavaRDD<NumberedRows> offsets = RowUpdates.offsets(plan, policy, updates, columns, rowErrors);
    try {
      PartitionTasks.run(PartitionTasks.numbered(offsets, new Count(accumulator)));
    } catch (Exception e) {
      throw TaskErrors.unwrapped(e);
    }
    rowErrors.throwFirst();
    return accumulator.value();
  }

  /** The task, which counts. */
  private record Count(ScatterMetricsAccumulator accumulator)
      implements FlatMapFunction2<Integer, Iterator<NumberedRows>, NumberedRows> {
    @Override
    public Iterator<NumberedRows> call(Integer source, Iterator<NumberedRows> chunks) {
      long updates = 0;
      long dropped = 0;
      while (chunks.hasNext()) {
        NumberedRows chunk = chunks.next();
        updates += chunk.count();
        dropped += dropped(chunk);
      }
      accumulator.add(new ScatterMetricsAccumulator.Sent(source, updates, dropped, 0, 0));
      return Collections.emptyIterator();
    }

    private static long dropped(NumberedRows chunk) {
      long dropped = 0;
      for (int row = 0; row < chunk.count(); row++) {
        dropped += chunk.numbers()[row] == SliceOffsets.DROPPED ? 1 : 0;
      }
      return dropped;
    }
  }
}
