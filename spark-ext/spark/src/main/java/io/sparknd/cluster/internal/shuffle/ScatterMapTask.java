/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.shuffle;

import io.sparknd.cluster.internal.partition.BlockLayout.Pieces;
import io.sparknd.cluster.internal.rows.NumberedRows;
import io.sparknd.tensor.DType;
import java.util.Iterator;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.function.FlatMapFunction2;
import org.apache.spark.util.TaskCompletionListener;
import org.jspecify.annotations.Nullable;
import scala.Tuple2;

/**
 * The map task of a scatter: it distributes updates, and reports its metrics when it ends.
 *
 * @param combining null if updates are sent uncombined
 * @param samplers null if destinations are not sampled
 */
record ScatterMapTask(
    DType dtype,
    @Nullable MapSideCombine combining,
    Pieces pieces,
    ScatterMetricsAccumulator accumulator,
    DestinationSampler.@Nullable Factory samplers)
    implements FlatMapFunction2<Integer, Iterator<NumberedRows>, Tuple2<BatchKey, ShuffleBatch>> {

  @Override
  public Iterator<Tuple2<BatchKey, ShuffleBatch>> call(
      Integer source, Iterator<NumberedRows> chunks) {
    RowBinner binner =
        combining == null
            ? new RowBinner(source, chunks, dtype.storage(), pieces)
            : new RowBinner(source, chunks, combining, pieces);
    atEnd(context -> accumulator.add(sent(source, binner)));
    return samplers == null ? binner : sampled(samplers, source, binner);
  }

  private static ScatterMetricsAccumulator.Sent sent(int source, RowBinner binner) {
    return new ScatterMetricsAccumulator.Sent(
        source, binner.updates(), binner.dropped(), binner.combined(), binner.bytes());
  }

  private Iterator<Tuple2<BatchKey, ShuffleBatch>> sampled(
      DestinationSampler.Factory samplers,
      int source,
      Iterator<Tuple2<BatchKey, ShuffleBatch>> batches) {
    DestinationSampler sampler = samplers.create(pieces.partitions());
    atEnd(context -> accumulator.add(sampler.sample(source)));
    return new Iterator<>() {
      @Override
      public boolean hasNext() {
        return batches.hasNext();
      }

      @Override
      public Tuple2<BatchKey, ShuffleBatch> next() {
        Tuple2<BatchKey, ShuffleBatch> batch = batches.next();
        sampler.observe(batch._1().partition(), batch._2().locals(), batch._2().count());
        return batch;
      }
    };
  }

  private static void atEnd(TaskCompletionListener listener) {
    TaskContext.get().addTaskCompletionListener(listener);
  }
}
