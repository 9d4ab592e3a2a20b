/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.djl;

import ai.djl.ndarray.NDArray;
import java.io.Serializable;
import java.util.Map;

/**
 * A model in DJL's arrays: embeddings and dense parameters in, loss out. PyTorch computes the
 * gradients. Methods run in tasks, which Spark may retry, so they depend only on their arguments:
 * there is no dropout, and no state of a block between steps.
 *
 * @param <B> a mini-batch, or one shard's part of it
 */
public interface DjlModel<B> extends Serializable {
  /** Returns the ids of rows by the name of their table; may have duplicates. */
  Map<String, long[]> ids(B batch);

  /** Returns the number of examples. */
  long examples(B batch);

  /**
   * Returns the sum of the losses of all examples, a scalar of float32.
   *
   * @param arrays the embeddings of {@code ids(batch)}, and all dense parameters
   */
  NDArray loss(B batch, ModelArrays arrays);
}
