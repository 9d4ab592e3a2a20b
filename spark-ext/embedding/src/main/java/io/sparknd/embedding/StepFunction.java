/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding;

import java.io.Serializable;

/**
 * The model of a training: selects the rows of a mini-batch, and computes its loss and gradients.
 * Both methods run in tasks, which Spark may retry. They must depend only on their arguments, so
 * that a retry sends the same bits.
 *
 * @param <B> a mini-batch, or one shard's part of it
 */
public interface StepFunction<B> extends Serializable {
  /**
   * Returns the ids of the rows that {@link #step} reads or changes, in any order; may have
   * duplicates. The optimizer updates all of them, also those whose gradients stay zeros: by what
   * is left of earlier gradients, as in Adam, and by decay of weights. They count as used.
   */
  long[] ids(B batch);

  /**
   * Computes the loss of {@code batch} and adds its gradient to {@code rows.gradients()}.
   *
   * @param rows the rows of {@code ids(batch)}; its arrays are reused after this call
   */
  Loss step(B batch, EmbeddingRows rows);
}
