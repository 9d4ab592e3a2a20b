/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding;

import io.sparknd.cluster.internal.shuffle.BatchKey;
import io.sparknd.cluster.internal.shuffle.ShuffleBatch;
import io.sparknd.embedding.internal.rows.IdOrder;
import io.sparknd.embedding.internal.rows.RowDirectory;
import io.sparknd.tensor.Storage;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import scala.Tuple2;

/**
 * The messages of a shard to the partitions that own rows: gradients in mini-batch order, and row
 * requests. An owner receives all gradients before the first request, so responses contain the rows
 * after those updates.
 */
final class OutboundMessages {
  /** Maximum bytes of gradients in a message, unless one row is larger. */
  private static final int MAX_BYTES = 1 << 20;

  private final List<TrainedTable> tables;
  private final MessageKeys keys;
  private final int shard;
  private final List<Tuple2<BatchKey, ShuffleBatch>> messages = new ArrayList<>();

  OutboundMessages(List<TrainedTable> tables, MessageKeys keys, int shard) {
    this.tables = tables;
    this.keys = keys;
    this.shard = shard;
  }

  /**
   * Requests the rows of ids of a table.
   *
   * @param table number of the table
   * @param distinct ids; the first {@code count} are requested, and the position of each identifies
   *     its row
   */
  void request(int table, long[] distinct, int count) {
    RowDirectory directory = tables.get(table).directory();
    PositionsByOwner byOwner = new PositionsByOwner(directory, distinct, count);
    for (int owner = 0; owner < directory.partitions(); owner++) {
      if (byOwner.count(owner) > 0) {
        int[] positions = byOwner.positions(owner, 0, byOwner.count(owner));
        long[] addresses = addresses(directory, distinct, positions);
        send(keys.request(owner, shard, table), addresses, positions, new float[0]);
      }
    }
  }

  /**
   * Sends the gradients of a table in a mini-batch.
   *
   * @param number number of the mini-batch in the job
   * @param table number of the table
   */
  void gradients(int number, int table, EmbeddingRows rows) {
    RowDirectory directory = tables.get(table).directory();
    PositionsByOwner byOwner = new PositionsByOwner(directory, rows.ids(), rows.count());
    int most = Math.max(1, MAX_BYTES / (Float.BYTES * rows.dim()));
    for (int owner = 0; owner < directory.partitions(); owner++) {
      for (int from = 0; from < byOwner.count(owner); from += most) {
        int[] positions =
            byOwner.positions(owner, from, Math.min(byOwner.count(owner), from + most));
        BatchKey key = keys.gradients(owner, number, shard, table, from);
        long[] addresses = addresses(directory, rows.ids(), positions);
        send(key, addresses, null, picked(rows, positions));
      }
    }
  }

  private void send(BatchKey key, long[] addresses, int @Nullable [] positions, float[] payload) {
    ShuffleBatch batch =
        new ShuffleBatch(
            Storage.FLOAT, addresses.length, addresses, positions, payload, payload.length);
    messages.add(new Tuple2<>(key, batch));
  }

  private static long[] addresses(RowDirectory directory, long[] distinct, int[] positions) {
    long[] addresses = new long[positions.length];
    for (int i = 0; i < positions.length; i++) {
      addresses[i] = directory.address(distinct[positions[i]]);
    }
    return addresses;
  }

  private static float[] picked(EmbeddingRows rows, int[] positions) {
    int dim = rows.dim();
    float[] picked = new float[positions.length * dim];
    for (int i = 0; i < positions.length; i++) {
      System.arraycopy(rows.gradients(), positions[i] * dim, picked, i * dim, dim);
    }
    return picked;
  }

  List<Tuple2<BatchKey, ShuffleBatch>> messages() {
    return messages;
  }

  /** The positions of ids, grouped by owner, in the order of {@link IdOrder} within each owner. */
  private static final class PositionsByOwner {
    private final int[] first;
    private final int[] positions;

    PositionsByOwner(RowDirectory directory, long[] distinct, int count) {
      int[] owners = new int[count];
      this.first = new int[directory.partitions() + 1];
      for (int i = 0; i < count; i++) {
        owners[i] = directory.owner(distinct[i]);
        first[owners[i] + 1]++;
      }
      Arrays.parallelPrefix(first, Integer::sum);
      this.positions = new int[count];
      int[] next = first.clone();
      for (int position : IdOrder.positions(directory, distinct, count)) {
        positions[next[owners[position]]++] = position;
      }
    }

    int count(int owner) {
      return first[owner + 1] - first[owner];
    }

    int[] positions(int owner, int from, int to) {
      return Arrays.copyOfRange(positions, first[owner] + from, first[owner] + to);
    }
  }
}
