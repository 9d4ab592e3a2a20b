/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding;

import java.util.List;

/**
 * A shard of a {@link LocalRun}. It makes each mini-batch once, to request the rows and to learn
 * from them, where a {@link ShardTask} that Spark runs makes it twice.
 */
final class LocalShard<B> {
  private final List<TrainedTable> tables;
  private final ShardFunction<B> function;
  private final Batches.Shard<B> batches;

  /** The parts that were made last. */
  private ShardParts<B> last;

  /** The parts before these. */
  private ShardParts<B> used;

  LocalShard(List<TrainedTable> tables, ShardFunction<B> function, Batches.Shard<B> batches) {
    this.tables = tables;
    this.function = function;
    this.batches = batches;
    this.last = none();
    this.used = none();
  }

  private ShardParts<B> none() {
    return ShardParts.of(tables, function, batches, new StepRange(0, 0));
  }

  /** Returns the parts that were made last, whose rows were requested. */
  ShardParts<B> now() {
    return last;
  }

  /** Makes the parts of other mini-batches. Those that {@link #now} returned can still be used. */
  ShardParts<B> ahead(StepRange steps) {
    ShardParts<B> next = used.replaced(function, batches, steps);
    used = last;
    last = next;
    return next;
  }
}
