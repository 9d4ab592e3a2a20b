/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.scatter;

import io.sparknd.cluster.internal.partition.TensorPartition;
import io.sparknd.cluster.internal.shuffle.BroadcastBatches;
import java.util.Iterator;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.function.FlatMapFunction;

/** Folds the updates of one partition, which the driver distributed, into its blocks. */
record BroadcastUpdateFold(BroadcastBatches updates, PartitionFold fold)
    implements FlatMapFunction<Iterator<TensorPartition>, TensorPartition> {
  @Override
  public Iterator<TensorPartition> call(Iterator<TensorPartition> partition) {
    return fold.call(partition, updates.batches(TaskContext.getPartitionId()));
  }
}
