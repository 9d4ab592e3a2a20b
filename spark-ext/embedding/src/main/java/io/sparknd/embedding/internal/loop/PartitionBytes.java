/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.loop;

import io.sparknd.embedding.internal.rows.EmbeddingPartition;
import java.util.Iterator;
import java.util.List;
import org.apache.spark.api.java.function.FlatMapFunction;

/** Returns the approximate bytes of all partitions of a task. */
record PartitionBytes() implements FlatMapFunction<Iterator<EmbeddingPartition>, Long> {
  @Override
  public Iterator<Long> call(Iterator<EmbeddingPartition> partitions) {
    long bytes = 0;
    while (partitions.hasNext()) {
      bytes += partitions.next().estimatedSize();
    }
    return List.of(bytes).iterator();
  }
}
