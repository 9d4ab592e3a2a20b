/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster;

import io.sparknd.cluster.internal.partition.TensorBlocks;

/** Gives tests in other packages access to the internals of a tensor. */
public final class TensorInside {
  private TensorInside() {}

  public static TensorBlocks blocks(DistributedTensor tensor) {
    return tensor.blocks();
  }
}
