/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.loop;

import io.sparknd.cluster.internal.shuffle.BatchKey;
import io.sparknd.cluster.internal.shuffle.ShuffleBatch;
import io.sparknd.embedding.internal.rows.EmbeddingPartition;
import io.sparknd.embedding.internal.rows.PreviousVersion;
import io.sparknd.embedding.internal.rows.RowReader;
import io.sparknd.embedding.internal.rows.RowRequest;
import io.sparknd.embedding.internal.step.MessageKeys;
import io.sparknd.embedding.internal.step.OwnerTask;
import io.sparknd.embedding.internal.step.PayloadBuffers;
import io.sparknd.embedding.internal.step.RowResponses;
import io.sparknd.embedding.internal.step.TrainedTable;
import io.sparknd.tensor.Storage;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
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
    Iterator<Tuple2<BatchKey, ShuffleBatch>> gradients =
        messages.stream().filter(message -> !keys.isRequest(message._1())).iterator();
    version = task.applied(version.iterator(), gradients, gradientBytes);
  }

  /**
   * Returns the rows that others than {@code here} request.
   *
   * @param storage that of the messages
   * @param arrays for float32 rows
   */
  Stream<Tuple2<BatchKey, ShuffleBatch>> responses(
      List<Tuple2<BatchKey, ShuffleBatch>> messages,
      Map<Integer, ? extends LocalShard<?>> here,
      Storage storage,
      PayloadBuffers arrays) {
    List<RowReader> readers = readers();
    return messages.stream()
        .filter(message -> keys.isRequest(message._1()))
        .filter(message -> !here.containsKey(keys.requester(message._1())))
        .flatMap(
            message -> {
              int table = keys.table(message._1());
              int shard = keys.requester(message._1());
              long[] rows = message._2().locals();
              return responses(table, readers.get(table), shard, rows, storage, arrays);
            });
  }

  /** Writes the rows that the shards of this task request where they read them. */
  void respond(
      List<Tuple2<BatchKey, ShuffleBatch>> messages, Map<Integer, ? extends LocalShard<?>> here) {
    List<RowReader> readers = readers();
    for (Tuple2<BatchKey, ShuffleBatch> message : messages) {
      BatchKey key = message._1();
      LocalShard<?> shard = keys.isRequest(key) ? here.get(keys.requester(key)) : null;
      if (shard != null) {
        int table = keys.table(key);
        readers.get(table).copy(OwnerTask.request(keys, message), shard.rows(table));
      }
    }
  }

  private List<RowReader> readers() {
    return IntStream.range(0, tables.size())
        .mapToObj(i -> tables.get(i).reader(version.get(i)))
        .toList();
  }

  private Stream<Tuple2<BatchKey, ShuffleBatch>> responses(
      int table,
      RowReader reader,
      int shard,
      long[] requested,
      Storage storage,
      PayloadBuffers arrays) {
    int dim = tables.get(table).layout().dim();
    int most = RowResponses.most(tables.get(table).layout());
    int count = requested.length;
    int[] inOrder = IntStream.range(0, Math.min(most, count)).toArray();
    return IntStream.iterate(0, from -> from < count, from -> from + most)
        .mapToObj(
            from -> {
              int rows = Math.min(most, count - from);
              long[] addresses = Arrays.copyOfRange(requested, from, from + rows);
              RowRequest part = new RowRequest(shard, addresses, inOrder);
              BatchKey key = keys.response(shard, version.get(table).index(), table, from);
              Object payload =
                  storage == Storage.FLOAT
                      ? copied(reader, part, arrays.take(rows * dim))
                      : reader.weights(addresses, 0, rows);
              return new Tuple2<>(
                  key, new ShuffleBatch(storage, 0, NONE, null, payload, rows * dim));
            });
  }

  /** Copies the rows of a request, {@code [rows, dim]}, in its order, and returns {@code to}. */
  private static float[] copied(RowReader reader, RowRequest request, float[] to) {
    reader.copy(request, to);
    return to;
  }
}
