/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.loop;

import io.sparknd.cluster.internal.shuffle.BatchKey;
import io.sparknd.cluster.internal.shuffle.ShuffleBatch;
import io.sparknd.embedding.internal.rows.RowLayout;
import io.sparknd.embedding.internal.step.BatchShard;
import io.sparknd.embedding.internal.step.LossAccumulator;
import io.sparknd.embedding.internal.step.MessageKeys;
import io.sparknd.embedding.internal.step.OutboundMessages;
import io.sparknd.embedding.internal.step.OwnerRows;
import io.sparknd.embedding.internal.step.ShardParts;
import io.sparknd.embedding.internal.step.ShardSteps;
import io.sparknd.embedding.internal.step.ShardTask;
import io.sparknd.embedding.internal.step.StepRange;
import io.sparknd.embedding.internal.step.TrainedTable;
import io.sparknd.kernel.cpu.FloatRows;
import io.sparknd.kernel.cpu.HalfRows;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import scala.Tuple2;

/**
 * A shard of a {@link LocalRun} or a {@link BarrierTask}. It makes each mini-batch once, to request
 * the rows and to learn from them, where a {@link ShardTask} makes it twice. The owners of its rows
 * write them where it reads them, or send them.
 */
final class LocalShard<B> {
  private final List<TrainedTable> tables;
  private final MessageKeys keys;
  private final ShardSteps<B> steps;
  private final BatchShard<B> batches;
  private final ShardBuffers buffers;

  /** The parts whose rows were requested. */
  private ShardParts<B> parts;

  /** The parts before these, whose arrays the next ones use. */
  private ShardParts<B> used;

  /** The requested rows of each table. */
  private List<LocalRows> requested;

  /**
   * Makes a shard without requested rows.
   *
   * @param buffers those of this shard in earlier runs
   */
  LocalShard(
      List<TrainedTable> tables,
      MessageKeys keys,
      ShardSteps<B> steps,
      BatchShard<B> batches,
      ShardBuffers buffers) {
    this.tables = tables;
    this.keys = keys;
    this.steps = steps;
    this.batches = batches;
    this.buffers = buffers;
    this.parts = none();
    this.used = none();
    this.requested = List.of();
  }

  private ShardParts<B> none() {
    return ShardParts.of(tables, steps.function(), batches, new StepRange(0, 0));
  }

  /** Returns the gradients of {@code now}, and the requests for the rows of {@code next}. */
  List<Tuple2<BatchKey, ShuffleBatch>> messages(
      StepRange now, StepRange next, LossAccumulator losses) {
    if (now.count() > 0) {
      buffers.payloads().reuse(); // owners have applied the gradients before
    }
    OutboundMessages outbound =
        new OutboundMessages(tables, keys, steps.shard(), buffers.payloads());
    steps.learn(now, parts, requested, losses, outbound);
    ShardParts<B> ahead = used.replaced(steps.function(), batches, next);
    used = parts;
    parts = ahead;
    if (next.count() > 0) { // else the next run goes on with these arrays
      buffers.resize(elements(parts));
    }
    requested = new ArrayList<>();
    for (int table = 0; table < tables.size(); table++) {
      List<OwnerRows> byOwner = parts.requested(table).byOwner();
      outbound.request(table, byOwner);
      requested.add(new LocalRows(buffers.ofTable(table), byOwner));
    }
    return outbound.messages();
  }

  /** Returns the number of elements of the requested rows of each table. */
  private int[] elements(ShardParts<B> of) {
    return IntStream.range(0, tables.size())
        .map(i -> Math.multiplyExact(of.requested(i).count(), tables.get(i).layout().dim()))
        .toArray();
  }

  /** Returns the requested rows of a table, which their owners write. */
  float[] rows(int table) {
    return requested.get(table).rows();
  }

  /** Stores rows that an owner sent, in the order in which they were requested of it. */
  void receive(BatchKey key, ShuffleBatch response) {
    int table = keys.table(key);
    int owner = keys.responder(key);
    OwnerRows named =
        requested.get(table).byOwner().stream()
            .filter(own -> own.owner() == owner)
            .findFirst()
            .orElseThrow();
    int[] positions = named.positions();
    write(response, positions, key.sequence(), tables.get(table).layout(), rows(table));
  }

  /** Copies rows to the positions {@code from ..}, widened to float32. */
  private static void write(
      ShuffleBatch response, int[] positions, int from, RowLayout layout, float[] to) {
    int dim = layout.dim();
    int count = response.payloadUnits() / dim;
    if (response.payload() instanceof float[] floats) {
      for (int i = 0; i < count; i++) {
        FloatRows.copy(floats, i * dim, to, positions[from + i] * dim, dim);
      }
    } else {
      short[] halves = (short[]) response.payload();
      for (int i = 0; i < count; i++) {
        int at = positions[from + i] * dim;
        HalfRows.widen(layout.dtype(), halves, i * dim, to, at, dim);
      }
    }
  }
}
