/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding;

import io.sparknd.cluster.internal.shuffle.BatchKey;
import io.sparknd.cluster.internal.shuffle.ShuffleBatch;
import io.sparknd.embedding.internal.TrainingErrors;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
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
    Batches.Shard<B> own = shard.next();
    ShardParts<B> parts = ShardParts.of(tables, function, own, now);
    return messages(
            TaskContext.getPartitionId(),
            parts,
            () -> ShardParts.of(tables, function, own, next),
            responses)
        .iterator();
  }

  /**
   * Returns the messages of shard {@code number}.
   *
   * @param parts its parts of {@code now}
   * @param ahead makes its parts of {@code next}
   */
  List<Tuple2<BatchKey, ShuffleBatch>> messages(
      int number,
      ShardParts<B> parts,
      Supplier<ShardParts<B>> ahead,
      Iterator<Tuple2<BatchKey, ShuffleBatch>> responses) {
    OutboundMessages outbound = new OutboundMessages(tables, keys, number);
    List<FetchedRows> fetched = fetched(number, parts, responses);
    for (int i = 0; i < now.count(); i++) {
      List<EmbeddingRows> rows = parts.rows(i, fetched);
      Loss loss = function.step(parts.batch(i), rows);
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
    ShardParts<B> following = ahead.get();
    for (int table = 0; table < tables.size(); table++) {
      RequestedIds ids = following.requested(table);
      outbound.request(table, ids.distinct(), ids.count());
    }
    return outbound.messages();
  }

  /** Receives the rows of each table. */
  private List<FetchedRows> fetched(
      int shard, ShardParts<B> parts, Iterator<Tuple2<BatchKey, ShuffleBatch>> responses) {
    List<FetchedRows> fetched = new ArrayList<>();
    for (int table = 0; table < tables.size(); table++) {
      RequestedIds ids = parts.requested(table);
      fetched.add(new FetchedRows(tables.get(table), ids.distinct(), ids.count()));
    }
    responses.forEachRemaining(
        response -> {
          BatchKey key = response._1();
          fetched.get(keys.table(key)).add(key, keys.responder(key), response._2());
        });
    fetched.forEach(rows -> rows.check(now.first(), shard));
    return fetched;
  }
}
