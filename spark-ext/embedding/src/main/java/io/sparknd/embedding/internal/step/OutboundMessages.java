/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.step;

import io.sparknd.cluster.internal.shuffle.BatchKey;
import io.sparknd.cluster.internal.shuffle.ShuffleBatch;
import io.sparknd.embedding.internal.rows.RowDirectory;
import io.sparknd.kernel.cpu.FloatRows;
import io.sparknd.tensor.Storage;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import scala.Tuple2;

/**
 * The messages of a shard to the partitions that own rows: gradients in mini-batch order, and row
 * requests. An owner receives all gradients before the first request, so responses contain the rows
 * after those updates.
 */
public final class OutboundMessages {
  /** Maximum bytes of gradients in a message, unless one row is larger. */
  private static final int MAX_BYTES = 1 << 20;

  private final List<TrainedTable> tables;
  private final MessageKeys keys;
  private final int shard;
  private final PayloadBuffers payloads;
  private final List<Tuple2<BatchKey, ShuffleBatch>> messages = new ArrayList<>();

  /**
   * Makes no messages yet.
   *
   * @param payloads the arrays of the gradients in messages
   */
  public OutboundMessages(
      List<TrainedTable> tables, MessageKeys keys, int shard, PayloadBuffers payloads) {
    this.tables = tables;
    this.keys = keys;
    this.shard = shard;
    this.payloads = payloads;
  }

  /**
   * Requests rows of a table.
   *
   * @param table number of the table
   * @param requested the rows by owner
   */
  public void request(int table, List<OwnerRows> requested) {
    for (OwnerRows own : requested) {
      BatchKey key = keys.request(own.owner(), shard, table);
      send(key, own.addresses(), own.positions(), new float[0], 0);
    }
  }

  /**
   * Sends the gradients of a table in a mini-batch, and leaves zeros in their place.
   *
   * @param number number of the mini-batch in the job
   * @param table number of the table
   */
  void gradients(int number, int table, MiniBatchRows rows) {
    RowDirectory directory = tables.get(table).directory();
    gradients(number, table, rows, OwnerRows.of(directory, rows.ids(), rows.count()));
  }

  /**
   * Sends the gradients of a table in a mini-batch, and leaves zeros in their place.
   *
   * @param named the rows by owner, in the order of {@link OwnerRows#of}; those of an owner may be
   *     in several parts
   */
  void gradients(int number, int table, MiniBatchRows rows, List<OwnerRows> named) {
    int most = Math.max(1, MAX_BYTES / (Float.BYTES * rows.dim()));
    int[] sent = new int[tables.get(table).directory().partitions()];
    for (OwnerRows own : named) {
      for (OwnerRows part : own.split(most)) {
        BatchKey key = keys.gradients(part.owner(), number, shard, table, sent[part.owner()]);
        sent[part.owner()] += part.count();
        send(key, part.addresses(), null, taken(rows, part.positions()), rows.dim());
      }
    }
  }

  private void send(
      BatchKey key, long[] addresses, int @Nullable [] positions, float[] payload, int width) {
    int count = addresses.length;
    ShuffleBatch batch =
        new ShuffleBatch(Storage.FLOAT, count, addresses, positions, payload, count * width);
    messages.add(new Tuple2<>(key, batch));
  }

  private float[] taken(MiniBatchRows rows, int[] positions) {
    int dim = rows.dim();
    float[] taken = payloads.take(positions.length * dim);
    for (int i = 0; i < positions.length; i++) {
      FloatRows.take(rows.gradients(), positions[i] * dim, taken, i * dim, dim);
    }
    return taken;
  }

  public List<Tuple2<BatchKey, ShuffleBatch>> messages() {
    return messages;
  }
}
