/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.step;

import io.sparknd.cluster.internal.shuffle.BatchKey;
import io.sparknd.cluster.internal.shuffle.ShuffleBatch;
import io.sparknd.embedding.internal.rows.EmbeddingPartition;
import io.sparknd.embedding.internal.rows.RowLayout;
import io.sparknd.embedding.internal.rows.RowReader;
import io.sparknd.embedding.internal.rows.RowRequest;
import io.sparknd.kernel.cpu.HalfRows;
import io.sparknd.tensor.Storage;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.api.java.function.FlatMapFunction;
import scala.Tuple2;

/**
 * Responds to the row requests of one partition of each table. Each row carries its address, so
 * that the requesting task can check that it is the right one.
 */
public record RowResponses(List<TrainedTable> tables, MessageKeys keys, Storage storage)
    implements FlatMapFunction<Iterator<EmbeddingPartition>, Tuple2<BatchKey, ShuffleBatch>> {
  /** Maximum bytes of rows in a message, unless one row is larger. */
  private static final int MAX_BYTES = 1 << 20;

  /**
   * Returns the storage of the rows of all tables in a shuffle. If dtypes differ, rows travel as
   * float32, to which the others widen exactly.
   */
  public static Storage storage(List<TrainedTable> tables) {
    Storage first = tables.get(0).layout().storage();
    return tables.stream().allMatch(table -> table.layout().storage() == first)
        ? first
        : Storage.FLOAT;
  }

  /** Returns the most rows in a message. */
  public static int most(RowLayout layout) {
    return Math.max(1, MAX_BYTES / layout.rowBytes());
  }

  @Override
  public Iterator<Tuple2<BatchKey, ShuffleBatch>> call(Iterator<EmbeddingPartition> partitions) {
    List<EmbeddingPartition> all = ModelPartitions.next(partitions, tables.size());
    Stream<Tuple2<BatchKey, ShuffleBatch>> responses =
        IntStream.range(0, all.size())
            .boxed()
            .flatMap(number -> responses(number, all.get(number)));
    return Stream.concat(responses, end(partitions)).iterator();
  }

  /**
   * Returns nothing, once all responses are made. Only then the end of the partitions is read,
   * which releases the lock of their block: a task that updates them in place waits for it.
   */
  private static Stream<Tuple2<BatchKey, ShuffleBatch>> end(
      Iterator<EmbeddingPartition> partitions) {
    return Stream.of(partitions)
        .flatMap(
            rest -> {
              ModelPartitions.requireEnd(rest);
              return Stream.empty();
            });
  }

  private Stream<Tuple2<BatchKey, ShuffleBatch>> responses(
      int number, EmbeddingPartition partition) {
    RowLayout layout = tables.get(number).layout();
    RowReader reader = tables.get(number).reader(partition);
    int most = most(layout);
    return partition.requests().stream()
        .flatMap(
            request -> {
              int count = request.positions().length;
              return IntStream.range(0, (count + most - 1) / most)
                  .mapToObj(
                      i -> {
                        int from = i * most;
                        BatchKey key =
                            keys.response(request.shard(), partition.index(), number, from);
                        int to = Math.min(count, from + most);
                        return new Tuple2<>(key, response(request, layout, reader, from, to));
                      });
            });
  }

  private ShuffleBatch response(
      RowRequest request, RowLayout layout, RowReader reader, int from, int to) {
    int count = to - from;
    long[] addresses = Arrays.copyOfRange(request.addresses(), from, to);
    int[] positions = Arrays.copyOfRange(request.positions(), from, to);
    Object rows = reader.weights(request.addresses(), from, to);
    Object sent = layout.storage() == storage ? rows : widened(layout, (short[]) rows);
    return new ShuffleBatch(storage, count, addresses, positions, sent, count * layout.dim());
  }

  private static float[] widened(RowLayout layout, short[] rows) {
    float[] widened = new float[rows.length];
    HalfRows.widen(layout.dtype(), rows, 0, widened, 0, rows.length);
    return widened;
  }
}
