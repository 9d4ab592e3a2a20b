/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.step;

import io.sparknd.cluster.internal.shuffle.BatchKey;
import io.sparknd.cluster.internal.shuffle.ShuffleBatch;
import io.sparknd.cluster.internal.spark.TaskMemory;
import io.sparknd.embedding.internal.rows.EmbeddingPartition;
import io.sparknd.embedding.internal.rows.PartitionStep;
import io.sparknd.embedding.internal.rows.PreviousVersion;
import io.sparknd.embedding.internal.rows.RowRequest;
import io.sparknd.metrics.TaskMetrics;
import io.sparknd.tensor.SparkNdException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import org.apache.spark.api.java.function.FlatMapFunction2;
import scala.Tuple2;

/**
 * The reduce-side task of one partition of each table in one job: sums the gradients of each
 * mini-batch, applies one optimizer step per mini-batch, and records the row requests of shards.
 *
 * @param tables tables in the order of their partitions
 * @param first first step of the job
 * @param previous whether the partitions remain readable
 */
public record OwnerTask(
    List<TrainedTable> tables, MessageKeys keys, long first, PreviousVersion previous)
    implements FlatMapFunction2<
        Iterator<EmbeddingPartition>,
        Iterator<Tuple2<BatchKey, ShuffleBatch>>,
        EmbeddingPartition> {
  /** Bytes of gradients that a task may keep of each table, whatever its memory. */
  private static final long MIN_BYTES = 64 << 20;

  /** Of so many parts of a task's user memory gradients of all tables may take one. */
  private static final int PARTS = 4;

  /**
   * Returns the task that applies the gradients of one mini-batch, which any number of partitions
   * sent.
   */
  public static OwnerTask ofOneStep(TrainedTable table, long step) {
    return new OwnerTask(
        List.of(table), new MessageKeys(1, Integer.MAX_VALUE), step, PreviousVersion.KEPT);
  }

  @Override
  public Iterator<EmbeddingPartition> call(
      Iterator<EmbeddingPartition> before, Iterator<Tuple2<BatchKey, ShuffleBatch>> messages) {
    return applied(before, messages, gradientBytes(tables.size())).iterator();
  }

  /** As {@link #call}, with the number of {@link #gradientBytes}. */
  public List<EmbeddingPartition> applied(
      Iterator<EmbeddingPartition> before,
      Iterator<Tuple2<BatchKey, ShuffleBatch>> messages,
      long gradientBytes) {
    long start = System.nanoTime();
    List<PartitionStep> steps = steps(before, gradientBytes);
    int current = 0;
    while (messages.hasNext()) {
      Tuple2<BatchKey, ShuffleBatch> message = messages.next();
      BatchKey key = message._1();
      PartitionStep step = steps.get(keys.table(key));
      if (keys.isRequest(key)) {
        step.request(request(keys, message));
        continue;
      }
      int number = keys.miniBatch(key);
      if (number != current) {
        apply(steps, first + current);
        current = number;
      }
      step.add(message._2());
    }
    apply(steps, first + current);
    List<EmbeddingPartition> after = steps.stream().map(PartitionStep::done).toList();
    TaskMetrics.stepped(System.nanoTime() - start);
    return after;
  }

  /** Returns the most bytes of gradients that a task keeps of each of some tables. */
  public static long gradientBytes(int tables) {
    return TaskMemory.part(PARTS * tables, MIN_BYTES);
  }

  private List<PartitionStep> steps(Iterator<EmbeddingPartition> before, long gradientBytes) {
    List<EmbeddingPartition> partitions = ModelPartitions.all(before, tables.size());
    List<PartitionStep> steps = new ArrayList<>();
    for (int i = 0; i < tables.size(); i++) {
      TrainedTable table = tables.get(i);
      steps.add(
          new PartitionStep(
              partitions.get(i),
              table.layout(),
              table.directory(),
              table.optimizer(),
              table.badGradients(),
              previous,
              gradientBytes));
    }
    return steps;
  }

  public static RowRequest request(MessageKeys keys, Tuple2<BatchKey, ShuffleBatch> message) {
    ShuffleBatch batch = message._2();
    int[] positions = Objects.requireNonNull(batch.rows());
    return new RowRequest(keys.requester(message._1()), batch.locals(), positions);
  }

  private void apply(List<PartitionStep> steps, long step) {
    for (int i = 0; i < steps.size(); i++) {
      try {
        steps.get(i).apply(step);
      } catch (SparkNdException e) {
        throw tables.get(i).labelled(e);
      }
    }
  }
}
