/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.loop;

import io.sparknd.embedding.internal.step.OwnerRows;
import io.sparknd.embedding.internal.step.ShardRows;
import java.util.List;

/**
 * The rows of a table that a {@link LocalShard} requested. Their owners write or send them.
 *
 * @param buffers those of the rows; too short if they do not fit into memory
 */
record LocalRows(RowBuffers buffers, List<OwnerRows> byOwner) implements ShardRows {
  @Override
  public float[] rows() {
    return buffers.rows();
  }

  @Override
  public float[] gradients() {
    return buffers.gradients();
  }
}
