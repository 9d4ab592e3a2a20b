/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster;

import java.io.Serializable;

/**
 * How a tensor is cut up. Results do not depend on it, to the last bit.
 *
 * @param partitions the number of Spark partitions; 0 leaves the choice, as {@link #AUTO} does
 * @param blockBytes the most bytes in a block, the unit of copy-on-write: random rows touch fewer
 *     bytes with small blocks, but every block costs a reference in every version; 0 chooses by
 *     size, from 4 KiB to 64 KiB
 */
public record Partitioning(int partitions, int blockBytes) implements Serializable {
  /**
   * Chosen by size; for the rows of a sorted table, by the tasks that read it, as {@link
   * DistributedTensor#fromDataset} says.
   */
  public static final Partitioning AUTO = new Partitioning(0, 0);

  public Partitioning {
    if (partitions < 0 || blockBytes < 0) {
      throw ClusterErrors.badPartitioning(partitions, blockBytes);
    }
  }

  /** {@code partitions} partitions of blocks chosen by size. */
  public static Partitioning of(int partitions) {
    return AUTO.withPartitions(partitions);
  }

  public Partitioning withPartitions(int count) {
    return new Partitioning(count, blockBytes);
  }

  public Partitioning withBlockBytes(int bytes) {
    return new Partitioning(partitions, bytes);
  }
}
