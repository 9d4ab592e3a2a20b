/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding;

import java.util.List;

/**
 * The rows of a table that a {@link LocalShard} requested. Their owners write them.
 *
 * @param arrays empty if the rows do not fit into memory
 */
record LocalRows(RowArrays arrays, List<OwnerRows> byOwner) implements ShardRows {
  @Override
  public float[] rows() {
    return arrays.rows();
  }

  @Override
  public float[] gradients() {
    return arrays.gradients();
  }
}
