/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding;

import io.sparknd.cluster.internal.shuffle.BatchKey;
import io.sparknd.cluster.internal.shuffle.ShuffleBatch;
import io.sparknd.embedding.internal.rows.EmbeddingPartition;
import io.sparknd.embedding.internal.rows.PreviousVersion;
import io.sparknd.embedding.internal.rows.RowReader;
import io.sparknd.embedding.internal.rows.RowRequest;
import io.sparknd.tensor.Storage;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import scala.Tuple2;

/** One partition of each table in a {@link BarrierTask}, which updates it in place. */
final class OwnedPartition {
  private static final long[] NONE = {};

  private final List<TrainedTable> tables;
  private final MessageKeys keys;
  private final long gradientBytes;
  private List<EmbeddingPartition> version;

  /**
   * Begins with a version, which remains as it is.
   *
   * @param tables with optimizers of their own
   */
  OwnedPartition(List<TrainedTable> tables, MessageKeys keys, List<EmbeddingPartition> version) {
    this.tables = tables;
    this.keys = keys;
    this.gradientBytes = OwnerTask.gradientBytes(tables.size());
    this.version = version.stream().map(EmbeddingPartition::shared).toList();
  }

  List<EmbeddingPartition> version() {
    return version;
  }

  /** Returns the approximate bytes of the version. */
  long bytes() {
    return version.stream().mapToLong(EmbeddingPartition::estimatedSize).sum();
  }

  /** Applies the gradients of a job that begins with {@code step}. */
  void apply(long step, List<Tuple2<BatchKey, ShuffleBatch>> messages) {
    OwnerTask task = new OwnerTask(tables, keys, step, PreviousVersion.TAKEN);
    version = task.applied(version.iterator(), messages.iterator(), gradientBytes);
  }

  /** Returns the rows that are requested, in messages of {@code storage}. */
  Stream<Tuple2<BatchKey, ShuffleBatch>> responses(
      List<Tuple2<BatchKey, ShuffleBatch>> messages, Storage storage) {
    List<RowReader> readers =
        IntStream.range(0, tables.size())
            .mapToObj(i -> tables.get(i).reader(version.get(i)))
            .toList();
    return messages.stream()
        .filter(message -> keys.isRequest(message._1()))
        .flatMap(
            message -> {
              int table = keys.table(message._1());
              RowRequest request = OwnerTask.request(keys, message);
              return responses(table, readers.get(table), request, storage);
            });
  }

  private Stream<Tuple2<BatchKey, ShuffleBatch>> responses(
      int table, RowReader reader, RowRequest request, Storage storage) {
    int dim = tables.get(table).layout().dim();
    int most = RowResponses.most(tables.get(table).layout());
    int count = request.addresses().length;
    int[] inOrder = IntStream.range(0, Math.min(most, count)).toArray();
    return IntStream.iterate(0, from -> from < count, from -> from + most)
        .mapToObj(
            from -> {
              int rows = Math.min(most, count - from);
              long[] addresses = Arrays.copyOfRange(request.addresses(), from, from + rows);
              RowRequest part = new RowRequest(request.shard(), addresses, inOrder);
              BatchKey key =
                  keys.response(request.shard(), version.get(table).index(), table, from);
              return new Tuple2<>(
                  key,
                  new ShuffleBatch(
                      storage, 0, NONE, null, rows(reader, part, storage, dim), rows * dim));
            });
  }

  /**
   * Returns the rows of a request, {@code [rows, dim]}, in its order; float32 unless all are not.
   */
  private static Object rows(RowReader reader, RowRequest request, Storage storage, int dim) {
    int count = request.addresses().length;
    if (storage != Storage.FLOAT) {
      return reader.weights(request.addresses(), 0, count);
    }
    float[] rows = new float[count * dim];
    reader.copy(request, rows);
    return rows;
  }
}
