/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.LocalSpark;
import io.sparknd.cluster.internal.shuffle.BatchKey;
import io.sparknd.cluster.internal.shuffle.ShuffleBatch;
import io.sparknd.embedding.internal.rows.EmbeddingPartition;
import io.sparknd.embedding.internal.rows.PartitionStep;
import io.sparknd.embedding.internal.rows.PreviousVersion;
import io.sparknd.embedding.internal.rows.RowRequest;
import io.sparknd.embedding.internal.step.MessageKeys;
import io.sparknd.embedding.internal.step.RowResponses;
import io.sparknd.embedding.internal.step.TrainedTable;
import io.sparknd.embedding.optimizer.BadGradients;
import io.sparknd.embedding.optimizer.Optimizer;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import scala.Tuple2;

/** Tests how a task reads the partitions that it responds with. */
class RowResponsesTest {
  private static final int COUNT = 700_000; // more than one message

  /** The end releases Spark's lock of the partitions, which other tasks then update in place. */
  @Test
  void partitionsAreReadToTheirEndAfterTheLastResponse() {
    EmbeddingSpec spec = EmbeddingSpec.of(COUNT, 1, Optimizer.sgd(1)).withPartitions(1);
    try (EmbeddingTable created = EmbeddingTable.create(LocalSpark.session(), spec)) {
      TrainedTable table = created.trained("", null);
      List<TrainedTable> tables = List.of(table, table);
      RowResponses responses =
          new RowResponses(tables, new MessageKeys(2, 1), RowResponses.storage(tables));
      AtomicBoolean isEnded = new AtomicBoolean();
      Iterator<Tuple2<BatchKey, ShuffleBatch>> made =
          responses.call(ending(List.of(requested(table), requested(table)).iterator(), isEnded));
      int rows = 0;
      while (rows < 2 * COUNT) {
        assertThat(isEnded).isFalse();
        rows += made.next()._2().count();
      }
      assertThat(made.hasNext()).isFalse();
      assertThat(isEnded).isTrue();
    }
  }

  private static EmbeddingPartition requested(TrainedTable table) {
    PartitionStep step =
        new PartitionStep(
            EmbeddingPartition.empty(table.layout(), table.directory(), 0),
            table.layout(),
            table.directory(),
            table.optimizer(),
            BadGradients.error(),
            PreviousVersion.KEPT,
            Long.MAX_VALUE);
    step.request(
        new RowRequest(
            0, LongStream.range(0, COUNT).toArray(), IntStream.range(0, COUNT).toArray()));
    return step.done();
  }

  private static <T> Iterator<T> ending(Iterator<T> elements, AtomicBoolean isEnded) {
    return new Iterator<>() {
      @Override
      public boolean hasNext() {
        boolean hasNext = elements.hasNext();
        isEnded.compareAndSet(false, !hasNext);
        return hasNext;
      }

      @Override
      public T next() {
        return elements.next();
      }
    };
  }
}
