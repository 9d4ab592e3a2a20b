/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding;

import io.sparknd.cluster.internal.shuffle.BatchKey;
import io.sparknd.cluster.internal.shuffle.ShuffleBatch;
import io.sparknd.embedding.internal.rows.EmbeddingPartition;
import io.sparknd.embedding.internal.rows.PartitionStep;
import io.sparknd.embedding.internal.rows.PreviousVersion;
import io.sparknd.embedding.internal.rows.RowDirectory;
import io.sparknd.embedding.internal.rows.RowLayout;
import io.sparknd.embedding.internal.rows.RowRequest;
import io.sparknd.embedding.optimizer.BadGradients;
import io.sparknd.embedding.optimizer.Optimizer;
import io.sparknd.metrics.TaskMetrics;
import java.util.Collections;
import java.util.Iterator;
import java.util.Objects;
import org.apache.spark.api.java.function.FlatMapFunction2;
import scala.Tuple2;

/**
 * The reduce-side task of one table partition in one job: sums the gradients of each mini-batch,
 * applies one optimizer step per mini-batch, and records the row requests of shards.
 *
 * @param first first step of the job
 * @param shards shards of a mini-batch; message sources are numbered from the first mini-batch on
 * @param previous whether the partition remains readable
 */
record OwnerTask(
    RowLayout layout,
    RowDirectory directory,
    Optimizer optimizer,
    BadGradients badGradients,
    long first,
    int shards,
    PreviousVersion previous)
    implements FlatMapFunction2<
        Iterator<EmbeddingPartition>,
        Iterator<Tuple2<BatchKey, ShuffleBatch>>,
        EmbeddingPartition> {

  @Override
  public Iterator<EmbeddingPartition> call(
      Iterator<EmbeddingPartition> before, Iterator<Tuple2<BatchKey, ShuffleBatch>> messages) {
    long start = System.nanoTime();
    PartitionStep step =
        new PartitionStep(
            EmbeddingPartition.only(before), layout, directory, optimizer, badGradients, previous);
    int current = 0;
    while (messages.hasNext()) {
      Tuple2<BatchKey, ShuffleBatch> message = messages.next();
      ShuffleBatch batch = message._2();
      if (OutboundMessages.isRequest(message._1())) {
        step.request(
            new RowRequest(
                OutboundMessages.requester(message._1()),
                batch.locals(),
                Objects.requireNonNull(batch.rows())));
        continue;
      }
      int number = message._1().source() / shards;
      if (number != current) {
        step.apply(first + current);
        current = number;
      }
      step.add(batch);
    }
    step.apply(first + current);
    EmbeddingPartition after = step.done();
    TaskMetrics.stepped(System.nanoTime() - start);
    return Collections.singletonList(after).iterator();
  }
}
