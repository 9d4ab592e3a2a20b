/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding;

import io.sparknd.embedding.internal.TrainingErrors;
import java.io.Serializable;
import java.util.List;

/**
 * A step function or a model step, as the engine calls it: with a list of the tables instead of
 * their names.
 *
 * @param <B> one shard's part of a mini-batch
 */
interface ShardFunction<B> extends Serializable {
  /** Returns the ids of the rows of each table. */
  List<long[]> ids(B batch);

  /** Computes the loss, and adds gradients to those of {@code rows}, which are in table order. */
  Loss step(B batch, List<EmbeddingRows> rows);

  /** Returns the function of a training of one table. */
  static <B> ShardFunction<B> of(StepFunction<B> function) {
    return new OfTable<>(function);
  }

  /** Calls a step function of one table. */
  record OfTable<B>(StepFunction<B> function) implements ShardFunction<B> {
    @Override
    public List<long[]> ids(B batch) {
      long[] ids = function.ids(batch);
      if (ids == null) {
        throw TrainingErrors.noIds("of a mini-batch");
      }
      return List.of(ids);
    }

    @Override
    public Loss step(B batch, List<EmbeddingRows> rows) {
      return function.step(batch, rows.get(0));
    }
  }
}
