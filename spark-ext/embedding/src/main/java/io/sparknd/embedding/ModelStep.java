/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding;

import java.io.Serializable;
import java.util.Map;

/**
 * The step of a model of several tables and dense parameters: selects the rows of a mini-batch, and
 * computes its loss and gradients. Both methods run in tasks, which Spark may retry. They must
 * depend only on their arguments, so that a retry sends the same bits.
 *
 * @param <B> a mini-batch, or one shard's part of it
 */
public interface ModelStep<B> extends Serializable {
  /**
   * Returns the ids of the rows that {@link #step} reads or changes, which the optimizer updates
   * even if their gradients stay zeros, see {@link StepFunction#ids}, by the name of their table,
   * in any order; may have duplicates. No row is read of a table that is missing.
   */
  Map<String, long[]> ids(B batch);

  /**
   * Computes the loss of {@code batch}, and adds its gradients to those of rows and parameters.
   * They are sums over the mini-batch, as those of a {@link StepFunction}: the gradients of all
   * shards are added up, and divided by nothing.
   *
   * @param rows the rows of {@code ids(batch)}, whose arrays are reused after this call, and all
   *     dense parameters
   */
  Loss step(B batch, ModelRows rows);
}
