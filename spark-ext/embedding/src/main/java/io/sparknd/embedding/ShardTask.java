/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding;

import io.sparknd.cluster.internal.shuffle.BatchKey;
import io.sparknd.cluster.internal.shuffle.KeyDictionary;
import io.sparknd.cluster.internal.shuffle.ShuffleBatch;
import io.sparknd.embedding.internal.EmbeddingErrors;
import io.sparknd.embedding.internal.rows.RowDirectory;
import io.sparknd.embedding.internal.rows.RowLayout;
import io.sparknd.embedding.optimizer.BadGradients;
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
    RowLayout layout,
    RowDirectory directory,
    BadGradients badGradients,
    int shards,
    StepFunction<B> function,
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
    int number = TaskContext.getPartitionId();
    Batches.Shard<B> own = shard.next();
    OutboundMessages outbound = new OutboundMessages(directory, number);
    Parts parts = new Parts(own, now);
    FetchedRows fetched =
        new FetchedRows(layout, directory, parts.distinct, parts.requested.count());
    responses.forEachRemaining(response -> fetched.add(response._1().source(), response._2()));
    fetched.check(now.first(), number);
    for (int i = 0; i < now.count(); i++) {
      EmbeddingRows rows = parts.rows(i, fetched.rows());
      Objects.requireNonNull(losses)
          .add(now.step(i), number, function.step(parts.batches.get(i), rows));
      check(now.step(i), number, rows);
      outbound.gradients(i, shards, rows);
    }
    Parts ahead = new Parts(own, next);
    outbound.request(ahead.distinct, ahead.requested.count());
    return outbound.messages().iterator();
  }

  private void check(long step, int shard, EmbeddingRows rows) {
    for (int slot = 0;
        slot < rows.count() && badGradients instanceof BadGradients.Rejected;
        slot++) {
      if (!BadGradients.isFinite(rows.gradients(), slot * layout.dim(), layout.dim())) {
        throw EmbeddingErrors.badGradient(step, shard, rows.id(slot));
      }
    }
  }

  /** This shard's parts of a range of mini-batches, and the rows that they need. */
  private final class Parts {
    final List<B> batches = new ArrayList<>();
    final List<long[]> ids = new ArrayList<>();

    /** The position of each id's row among all that are requested. */
    final List<int[]> positions = new ArrayList<>();

    final KeyDictionary requested = new KeyDictionary();
    long[] distinct = new long[64];

    Parts(Batches.Shard<B> shard, StepRange steps) {
      for (int i = 0; i < steps.count(); i++) {
        B batch = shard.batch(steps.step(i));
        batches.add(batch);
        ids.add(function.ids(batch));
        request(ids.get(i), steps.step(i));
      }
    }

    private void request(long[] batchIds, long step) {
      for (int i = 0; i < batchIds.length; i++) {
        directory.check(batchIds[i], i, step);
      }
      int[] numbers = requested.codes(batchIds, batchIds.length);
      positions.add(numbers);
      if (requested.count() > distinct.length) {
        distinct = Arrays.copyOf(distinct, Math.max(requested.count(), 2 * distinct.length));
      }
      for (int i = 0; i < batchIds.length; i++) {
        distinct[numbers[i]] = batchIds[i];
      }
    }

    /**
     * Returns the rows of mini-batch {@code i}.
     *
     * @param fetched all requested rows, by position
     */
    EmbeddingRows rows(int i, float[] fetched) {
      int dim = layout.dim();
      if (ids.size() == 1) {
        // slots are positions: both are numbered as ids first occur
        long[] own = Arrays.copyOf(distinct, requested.count());
        return new EmbeddingRows(dim, positions.get(0), own, fetched);
      }
      EmbeddingRows rows = EmbeddingRows.of(ids.get(i), dim);
      for (int slot = 0; slot < rows.count(); slot++) {
        int at = requested.code(rows.id(slot)) * dim;
        System.arraycopy(fetched, at, rows.values(), slot * dim, dim);
      }
      return rows;
    }
  }
}
