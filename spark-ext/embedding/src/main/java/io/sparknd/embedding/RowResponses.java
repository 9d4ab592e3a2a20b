/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding;

import io.sparknd.cluster.internal.shuffle.BatchKey;
import io.sparknd.cluster.internal.shuffle.ShuffleBatch;
import io.sparknd.embedding.internal.rows.EmbeddingPartition;
import io.sparknd.embedding.internal.rows.RowDirectory;
import io.sparknd.embedding.internal.rows.RowLayout;
import io.sparknd.embedding.internal.rows.RowReader;
import io.sparknd.embedding.internal.rows.RowRequest;
import java.util.Arrays;
import java.util.Iterator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.api.java.function.FlatMapFunction;
import scala.Tuple2;

/**
 * Responds to the row requests of one partition. Each row carries its address, so that the
 * requesting task can check that it is the right one.
 */
record RowResponses(RowLayout layout, RowDirectory directory)
    implements FlatMapFunction<Iterator<EmbeddingPartition>, Tuple2<BatchKey, ShuffleBatch>> {
  /** Maximum bytes of rows in a message, unless one row is larger. */
  private static final int MAX_BYTES = 1 << 20;

  @Override
  public Iterator<Tuple2<BatchKey, ShuffleBatch>> call(Iterator<EmbeddingPartition> partitions) {
    EmbeddingPartition partition = EmbeddingPartition.only(partitions);
    RowReader reader = new RowReader(partition, layout, directory);
    return partition.requests().stream()
        .flatMap(request -> responses(partition.index(), request, reader))
        .iterator();
  }

  private Stream<Tuple2<BatchKey, ShuffleBatch>> responses(
      int owner, RowRequest request, RowReader reader) {
    int most = Math.max(1, MAX_BYTES / layout.rowBytes());
    int messages = (request.positions().length + most - 1) / most;
    return IntStream.range(0, messages)
        .mapToObj(i -> response(owner, request, reader, i * most, most));
  }

  private Tuple2<BatchKey, ShuffleBatch> response(
      int owner, RowRequest request, RowReader reader, int from, int most) {
    int count = Math.min(most, request.positions().length - from);
    long[] addresses = Arrays.copyOfRange(request.addresses(), from, from + count);
    int[] positions = Arrays.copyOfRange(request.positions(), from, from + count);
    Object rows = reader.weights(request.addresses(), from, from + count);
    ShuffleBatch batch =
        new ShuffleBatch(layout.storage(), count, addresses, positions, rows, count * layout.dim());
    return new Tuple2<>(new BatchKey(request.shard(), owner, from), batch);
  }
}
