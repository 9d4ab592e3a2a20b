/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.options;

import io.sparknd.cluster.internal.ClusterErrors;
import java.io.Serializable;

/**
 * The number of partitions and the block size of a tensor. Results are bit-identical for every
 * partitioning.
 *
 * @param partitions the number of Spark partitions; 0 chooses as {@link #AUTO} does
 * @param blockBytes the maximum bytes in a block, the unit of copy-on-write. With small blocks,
 *     random rows touch fewer bytes, but every block costs a reference in every version; 0 chooses
 *     by size, from 4 KiB to 64 KiB
 */
public record Partitioning(int partitions, int blockBytes) implements Serializable {
  /**
   * Chooses by size; for the rows of a sorted table, by the tasks that read it, as {@link
   * DistributedTensor#fromDataset} describes.
   */
  public static final Partitioning AUTO = new Partitioning(0, 0);

  public Partitioning {
    if (partitions < 0 || blockBytes < 0) {
      throw ClusterErrors.badPartitioning(partitions, blockBytes);
    }
  }

  /** Returns {@code partitions} partitions with a block size chosen by tensor size. */
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
