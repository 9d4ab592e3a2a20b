/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster;

import io.sparknd.cluster.internal.partition.TensorBlocks;

/** What users do not see of a tensor, for tests in other packages. */
public final class TensorInside {
  private TensorInside() {}

  public static TensorBlocks blocks(DistributedTensor tensor) {
    return tensor.blocks();
  }
}
