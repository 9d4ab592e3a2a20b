/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding;

import java.io.Serializable;

/**
 * What is trained: which rows a mini-batch needs, and what it makes of them. Runs in tasks, which
 * Spark may repeat: both methods must depend on nothing but their arguments, so that a repeated one
 * sends the same bits.
 *
 * @param <B> a mini-batch, or one shard's part of it
 */
public interface StepFunction<B> extends Serializable {
  /** Ids of the rows that {@link #step} will read or change, in any order; duplicates welcome. */
  long[] ids(B batch);

  /**
   * Computes the loss of {@code batch} and adds its gradient to {@code rows.gradients()}.
   *
   * @param rows those of {@code ids(batch)}
   */
  Loss step(B batch, EmbeddingRows rows);
}
