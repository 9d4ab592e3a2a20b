/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.step;

import java.io.Serializable;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A step function or a model step, as the engine calls it: with a list of the tables instead of
 * their names.
 *
 * @param <B> one shard's part of a mini-batch
 */
public interface ShardFunction<B> extends Serializable {
  /** Returns the ids of the rows of each table. */
  List<long[]> ids(B batch);

  /**
   * Computes the loss, and adds gradients to those of {@code rows}, which are in table order.
   *
   * @return null if the application's function returned null
   */
  @Nullable LossSum step(B batch, List<MiniBatchRows> rows);
}
