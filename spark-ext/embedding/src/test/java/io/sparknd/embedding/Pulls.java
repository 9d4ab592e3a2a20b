/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding;

import java.io.Serializable;
import java.util.SplittableRandom;
import java.util.function.LongUnaryOperator;

/**
 * A model for tests: each example pulls two rows toward each other and their sum toward one. Ids
 * repeat often, within a shard and between shards.
 *
 * @param rows rows of the table
 * @param examples examples in a shard's part of a mini-batch
 * @param naming maps row numbers to ids
 */
record Pulls(long rows, int examples, Naming naming) implements StepFunction<long[]> {
  /** Maps row numbers to ids. */
  interface Naming extends LongUnaryOperator, Serializable {}

  Pulls(long rows, int examples) {
    this(rows, examples, row -> row);
  }

  /** Returns pairs of ids, one after the other. */
  long[] batch(long step, int shard) {
    SplittableRandom random = new SplittableRandom(31 * step + shard);
    long[] ids = new long[2 * examples];
    for (int i = 0; i < ids.length; i++) {
      double skewed = random.nextDouble() * random.nextDouble();
      ids[i] = naming.applyAsLong(Math.min(rows - 1, (long) (skewed * rows)));
    }
    return ids;
  }

  @Override
  public long[] ids(long[] batch) {
    return batch;
  }

  @Override
  public Loss step(long[] batch, EmbeddingRows rows) {
    double loss = 0;
    for (int i = 0; i < batch.length; i += 2) {
      int one = rows.slot(i) * rows.dim();
      int other = rows.slot(i + 1) * rows.dim();
      for (int j = 0; j < rows.dim(); j++) {
        float gap = rows.values()[one + j] - rows.values()[other + j];
        float rest = rows.values()[one + j] + rows.values()[other + j] - 1;
        rows.gradients()[one + j] += gap + rest;
        rows.gradients()[other + j] += rest - gap;
        loss += (gap * gap + rest * rest) / 2;
      }
    }
    return new Loss(loss, batch.length / 2);
  }
}
