/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.step;

import java.util.ArrayList;
import java.util.List;

/** A shard's parts of the mini-batches of a job, and the ids of the rows that they need. */
public final class ShardParts<B> {
  private final List<B> batches = new ArrayList<>();
  private final List<RequestedIds> requested;

  private ShardParts(List<RequestedIds> requested) {
    this.requested = requested;
  }

  /** Makes the parts of the mini-batches of {@code steps}. */
  public static <B> ShardParts<B> of(
      List<TrainedTable> tables, ShardFunction<B> function, BatchShard<B> shard, StepRange steps) {
    ShardParts<B> parts = new ShardParts<>(tables.stream().map(RequestedIds::new).toList());
    parts.add(function, shard, steps);
    return parts;
  }

  /** Makes the parts of other mini-batches in place of these, which must not be used again. */
  public ShardParts<B> replaced(ShardFunction<B> function, BatchShard<B> shard, StepRange steps) {
    requested.forEach(RequestedIds::clear);
    ShardParts<B> parts = new ShardParts<>(requested);
    parts.add(function, shard, steps);
    return parts;
  }

  private void add(ShardFunction<B> function, BatchShard<B> shard, StepRange steps) {
    for (int i = 0; i < steps.count(); i++) {
      B batch = shard.batch(steps.step(i));
      batches.add(batch);
      List<long[]> ids = function.ids(batch);
      for (int table = 0; table < requested.size(); table++) {
        requested.get(table).add(ids.get(table), steps.step(i));
      }
    }
  }

  B batch(int i) {
    return batches.get(i);
  }

  /** Returns the ids that all mini-batches request of a table. */
  public RequestedIds requested(int table) {
    return requested.get(table);
  }

  /** Returns the rows of mini-batch {@code i} of each table. */
  List<MiniBatchRows> rows(int i, List<? extends ShardRows> fetched) {
    List<MiniBatchRows> all = new ArrayList<>(requested.size());
    for (int table = 0; table < requested.size(); table++) {
      all.add(requested.get(table).rows(i, fetched.get(table)));
    }
    return all;
  }
}
