/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.step;

import java.io.Serializable;

/**
 * One shard's parts of all mini-batches.
 *
 * @param <B> one shard's part of a mini-batch
 */
public interface BatchShard<B> extends Serializable {
  B batch(long step);
}
