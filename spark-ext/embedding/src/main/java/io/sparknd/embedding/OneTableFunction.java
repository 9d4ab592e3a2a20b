/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding;

import io.sparknd.embedding.internal.TrainingErrors;
import io.sparknd.embedding.internal.step.LossSum;
import io.sparknd.embedding.internal.step.MiniBatchRows;
import io.sparknd.embedding.internal.step.ShardFunction;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Calls a step function of one table.
 *
 * @param <B> one shard's part of a mini-batch
 */
record OneTableFunction<B>(StepFunction<B> function) implements ShardFunction<B> {
  @Override
  public List<long[]> ids(B batch) {
    long[] ids = function.ids(batch);
    if (ids == null) {
      throw TrainingErrors.noIds("of a mini-batch");
    }
    return List.of(ids);
  }

  @Override
  public @Nullable LossSum step(B batch, List<MiniBatchRows> rows) {
    return Loss.sumOf(function.step(batch, new EmbeddingRows(rows.get(0))));
  }
}
