/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.scatter;

import io.sparknd.cluster.internal.partition.TensorPartition;
import io.sparknd.cluster.internal.shuffle.BroadcastBatches;
import java.util.Iterator;
import org.apache.spark.api.java.function.FlatMapFunction2;

/** Folds the updates of one partition, which the driver distributed, into its blocks. */
record BroadcastUpdateFold(BroadcastBatches updates, PartitionFold fold)
    implements FlatMapFunction2<Integer, Iterator<TensorPartition>, TensorPartition> {
  /** The task may have another number, where it computes a part of the partitions again. */
  @Override
  public Iterator<TensorPartition> call(Integer number, Iterator<TensorPartition> partition) {
    return fold.call(partition, updates.batches(number));
  }
}
