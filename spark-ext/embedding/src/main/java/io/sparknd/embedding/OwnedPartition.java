/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding;

import io.sparknd.cluster.internal.shuffle.BatchKey;
import io.sparknd.cluster.internal.shuffle.ShuffleBatch;
import io.sparknd.embedding.internal.rows.EmbeddingPartition;
import io.sparknd.embedding.internal.rows.HalfFloatRows;
import io.sparknd.embedding.internal.rows.PreviousVersion;
import io.sparknd.embedding.internal.rows.RowLayout;
import io.sparknd.embedding.internal.rows.RowReader;
import io.sparknd.embedding.internal.rows.RowRequest;
import io.sparknd.tensor.Storage;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import scala.Tuple2;

/** One partition of each table in a {@link BarrierTask}, which updates it in place. */
final class OwnedPartition {
  /** Maximum bytes of rows in a message, unless one row is larger. */
  private static final int MAX_BYTES = 1 << 20;

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
    Iterator<EmbeddingPartition> after =
        task.call(version.iterator(), messages.iterator(), gradientBytes);
    List<EmbeddingPartition> all = new ArrayList<>();
    after.forEachRemaining(all::add);
    version = all;
  }

  /** Returns the rows that are requested, in messages of {@code storage}. */
  Stream<Tuple2<BatchKey, ShuffleBatch>> responses(
      List<Tuple2<BatchKey, ShuffleBatch>> messages, Storage storage) {
    List<RowReader> readers =
        IntStream.range(0, tables.size())
            .mapToObj(
                i ->
                    new RowReader(
                        version.get(i), tables.get(i).layout(), tables.get(i).directory()))
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
    RowLayout layout = tables.get(table).layout();
    int most = Math.max(1, MAX_BYTES / layout.rowBytes());
    int count = request.addresses().length;
    return IntStream.iterate(0, from -> from < count, from -> from + most)
        .mapToObj(
            from -> {
              int to = Math.min(count, from + most);
              BatchKey key =
                  keys.response(request.shard(), version.get(table).index(), table, from);
              Object rows = reader.weights(request.addresses(), from, to);
              Object sent =
                  layout.storage() == storage
                      ? rows
                      : HalfFloatRows.widened(layout.dtype(), (short[]) rows);
              return new Tuple2<>(
                  key,
                  new ShuffleBatch(
                      storage, 0, new long[0], null, sent, (to - from) * layout.dim()));
            });
  }
}
