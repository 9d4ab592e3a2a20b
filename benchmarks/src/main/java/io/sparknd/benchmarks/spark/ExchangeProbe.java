/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.spark;

import io.sparknd.cluster.internal.partition.BlockLayout;
import io.sparknd.cluster.internal.rows.NumberedRows;
import io.sparknd.cluster.internal.rows.RowErrors;
import io.sparknd.cluster.internal.rows.RowUpdates;
import io.sparknd.cluster.internal.shuffle.BatchShuffle;
import io.sparknd.cluster.internal.shuffle.RowBinner;
import io.sparknd.cluster.options.Partitioning;
import io.sparknd.cluster.options.TensorColumns;
import io.sparknd.op.IndexPlan;
import io.sparknd.op.IndexPolicy;
import io.sparknd.op.Indexing;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/** Runs the exchange without the fold. */
final class ExchangeProbe {
  private ExchangeProbe() {}

  /**
   * Shuffles float32 updates of slices to their partitions and drops them there.
   *
   * @return the number of updates that arrived
   */
  static long run(
      Dataset<Row> updates, TensorColumns columns, Shape shape, Partitioning partitioning) {
    IndexPlan plan = Indexing.tuples().plan(shape, Shape.of(0, columns.indices().size()));
    RowErrors rowErrors =
        RowErrors.registered(updates.sparkSession(), shape.first(columns.indices().size()));
    JavaRDD<NumberedRows> chunks =
        RowUpdates.of(DType.FLOAT32, plan, IndexPolicy.STRICT, updates, columns, rowErrors);
    BlockLayout.Pieces pieces =
        BlockLayout.of(DType.FLOAT32, shape, partitioning, partitioning.partitions())
            .pieces(plan.slice().elements());
    return BatchShuffle.byReference(
            chunks.mapPartitionsWithIndex(
                (source, it) -> new RowBinner(source, it, DType.FLOAT32.storage(), pieces), false),
            pieces.partitions(),
            DType.FLOAT32.storage(),
            BatchShuffle.Order.AS_SENT)
        .map(arrived -> arrived._2().count())
        .fold(0, Integer::sum);
  }
}
