/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.rows;

import java.util.List;
import org.apache.spark.HashPartitioner;
import org.apache.spark.api.java.JavaRDD;
import scala.Tuple2;

/** Moves the rows of a table to another number of partitions, in one shuffle. */
public final class MovedPartitions {
  private MovedPartitions() {}

  public static JavaRDD<EmbeddingPartition> of(
      JavaRDD<EmbeddingPartition> rdd, Repartitioner repartitioner, int count) {
    return rdd.flatMapToPair(
            partition ->
                repartitioner.split(partition).stream()
                    .map(part -> new Tuple2<>(part.index(), part))
                    .iterator())
        .partitionBy(new HashPartitioner(count))
        .values()
        .mapPartitionsWithIndex(
            (index, parts) -> List.of(repartitioner.merged(index, parts)).iterator(), false);
  }
}
