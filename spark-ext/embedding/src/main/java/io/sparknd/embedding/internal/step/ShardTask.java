/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.step;

import io.sparknd.cluster.internal.shuffle.BatchKey;
import io.sparknd.cluster.internal.shuffle.ShuffleBatch;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
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
public record ShardTask<B>(
    List<TrainedTable> tables,
    MessageKeys keys,
    ShardFunction<B> function,
    StepRange now,
    StepRange next,
    @Nullable LossAccumulator losses)
    implements FlatMapFunction2<
        Iterator<BatchShard<B>>,
        Iterator<Tuple2<BatchKey, ShuffleBatch>>,
        Tuple2<BatchKey, ShuffleBatch>> {

  @Override
  public Iterator<Tuple2<BatchKey, ShuffleBatch>> call(
      Iterator<BatchShard<B>> shard, Iterator<Tuple2<BatchKey, ShuffleBatch>> responses) {
    int number = TaskContext.getPartitionId();
    BatchShard<B> own = shard.next();
    OutboundMessages outbound = new OutboundMessages(tables, keys, number, new PayloadBuffers());
    ShardParts<B> parts = ShardParts.of(tables, function, own, now);
    List<FetchedRows> fetched = fetched(number, parts, responses);
    if (losses != null) {
      new ShardSteps<>(tables, function, number).learn(now, parts, fetched, losses, outbound);
    }
    ShardParts<B> ahead = ShardParts.of(tables, function, own, next);
    for (int table = 0; table < tables.size(); table++) {
      outbound.request(table, ahead.requested(table).byOwner());
    }
    return outbound.messages().iterator();
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
