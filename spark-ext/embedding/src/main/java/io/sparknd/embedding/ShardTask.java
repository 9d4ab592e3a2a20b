/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding;

import io.sparknd.cluster.internal.shuffle.BatchKey;
import io.sparknd.cluster.internal.shuffle.ShuffleBatch;
import io.sparknd.embedding.internal.TrainingErrors;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.function.FlatMapFunction2;
import org.jspecify.annotations.Nullable;
import scala.Tuple2;

/**
 * The task of one shard in one job: receives the rows requested in the previous job, computes the
 * gradients of its parts of the mini-batches, and requests the rows of the next job.
 *
 * @param now mini-batches of this job
 * @param next mini-batches of the next job
 * @param losses null if there are no mini-batches now
 */
record ShardTask<B>(
    List<TrainedTable> tables,
    MessageKeys keys,
    ShardFunction<B> function,
    StepRange now,
    StepRange next,
    @Nullable LossAccumulator losses)
    implements FlatMapFunction2<
        Iterator<Batches.Shard<B>>,
        Iterator<Tuple2<BatchKey, ShuffleBatch>>,
        Tuple2<BatchKey, ShuffleBatch>> {

  @Override
  public Iterator<Tuple2<BatchKey, ShuffleBatch>> call(
      Iterator<Batches.Shard<B>> shard, Iterator<Tuple2<BatchKey, ShuffleBatch>> responses) {
    return messages(TaskContext.getPartitionId(), shard.next(), responses).iterator();
  }

  /** Returns the messages of shard {@code number}. */
  List<Tuple2<BatchKey, ShuffleBatch>> messages(
      int number, Batches.Shard<B> own, Iterator<Tuple2<BatchKey, ShuffleBatch>> responses) {
    OutboundMessages outbound = new OutboundMessages(tables, keys, number);
    Parts parts = new Parts(own, now);
    List<FetchedRows> fetched = parts.fetched(number, responses);
    for (int i = 0; i < now.count(); i++) {
      List<EmbeddingRows> rows = parts.rows(i, fetched);
      Loss loss = function.step(parts.batches.get(i), rows);
      if (loss == null) {
        throw TrainingErrors.noLoss(now.step(i), number);
      }
      Objects.requireNonNull(losses).add(now.step(i), number, loss);
      for (int table = 0; table < tables.size(); table++) {
        tables.get(table).checkGradients(now.step(i), number, rows.get(table));
        if (now.count() == 1) {
          outbound.gradients(i, table, rows.get(table), fetched.get(table).byOwner());
        } else {
          outbound.gradients(i, table, rows.get(table));
        }
      }
    }
    Parts ahead = new Parts(own, next);
    for (int table = 0; table < tables.size(); table++) {
      RequestedIds ids = ahead.requested.get(table);
      outbound.request(table, ids.distinct(), ids.count());
    }
    return outbound.messages();
  }

  /** This shard's parts of a range of mini-batches, and the rows that they need. */
  private final class Parts {
    final List<B> batches = new ArrayList<>();

    /** The ids of each mini-batch, by table. */
    final List<List<long[]>> ids = new ArrayList<>();

    final List<RequestedIds> requested = new ArrayList<>();

    Parts(Batches.Shard<B> shard, StepRange steps) {
      for (TrainedTable table : tables) {
        requested.add(new RequestedIds(table));
      }
      for (int i = 0; i < steps.count(); i++) {
        B batch = shard.batch(steps.step(i));
        batches.add(batch);
        ids.add(function.ids(batch));
        for (int table = 0; table < tables.size(); table++) {
          requested.get(table).add(ids.get(i).get(table), steps.step(i));
        }
      }
    }

    /** Receives the rows of each table. */
    List<FetchedRows> fetched(int shard, Iterator<Tuple2<BatchKey, ShuffleBatch>> responses) {
      List<FetchedRows> fetched =
          requested.stream()
              .map(ids -> new FetchedRows(ids.table, ids.distinct(), ids.count()))
              .toList();
      responses.forEachRemaining(
          response -> {
            BatchKey key = response._1();
            fetched.get(keys.table(key)).add(key, keys.responder(key), response._2());
          });
      fetched.forEach(rows -> rows.check(now.first(), shard));
      return fetched;
    }

    /** Returns the rows of mini-batch {@code i} of each table. */
    List<EmbeddingRows> rows(int i, List<FetchedRows> fetched) {
      List<EmbeddingRows> all = new ArrayList<>(tables.size());
      for (int table = 0; table < tables.size(); table++) {
        float[] from = fetched.get(table).rows();
        all.add(requested.get(table).rows(ids.get(i).get(table), from));
      }
      return all;
    }
  }

  /** The distinct ids that mini-batches request of one table. */
  private static final class RequestedIds {
    final TrainedTable table;

    /** The position of each id's row among all that are requested, by mini-batch. */
    final List<int[]> positions = new ArrayList<>();

    /** Null before the first mini-batch. */
    private @Nullable IdNumbers numbers;

    RequestedIds(TrainedTable table) {
      this.table = table;
    }

    int count() {
      return numbers == null ? 0 : numbers.count();
    }

    /** Returns the ids by position; only the first {@link #count} are used. */
    long[] distinct() {
      return numbers == null ? new long[0] : numbers.distinct();
    }

    void add(long[] ids, long step) {
      for (int i = 0; i < ids.length; i++) {
        table.check(ids[i], i, step);
      }
      numbers = numbers == null ? IdNumbers.of(table.directory(), ids.length) : numbers;
      positions.add(numbers.numbers(ids));
    }

    /**
     * Returns the rows of a mini-batch.
     *
     * @param ids ids of the mini-batch
     * @param fetched all requested rows, by position
     */
    EmbeddingRows rows(long[] ids, float[] fetched) {
      int dim = table.layout().dim();
      if (positions.size() == 1) {
        // slots are positions: both are numbered as ids first occur
        return new EmbeddingRows(
            dim, positions.get(0), Arrays.copyOf(distinct(), count()), fetched);
      }
      EmbeddingRows rows = EmbeddingRows.of(ids, dim);
      for (int slot = 0; slot < rows.count(); slot++) {
        int at = Objects.requireNonNull(numbers).number(rows.id(slot)) * dim;
        System.arraycopy(fetched, at, rows.values(), slot * dim, dim);
      }
      return rows;
    }
  }
}
