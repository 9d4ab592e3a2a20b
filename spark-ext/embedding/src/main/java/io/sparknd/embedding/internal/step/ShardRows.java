/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.step;

import java.util.List;

/** The rows of a table that a shard requested. */
public interface ShardRows {
  /** Returns the rows, {@code [count, dim]}, float32, by position; may be longer. */
  float[] rows();

  /** Returns an array as long, of zeros, for the gradients of the rows. */
  float[] gradients();

  /** Returns the rows by owner, in the order in which they were requested. */
  List<OwnerRows> byOwner();
}
