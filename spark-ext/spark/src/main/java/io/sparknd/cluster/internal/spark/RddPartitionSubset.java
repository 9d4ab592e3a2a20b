/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.spark;

import java.io.Serializable;
import java.util.Set;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.rdd.PartitionPruningRDD;
import scala.Function1;

/** Selects some partitions of an RDD. */
public final class RddPartitionSubset {
  private RddPartitionSubset() {}

  /**
   * Returns the partitions numbered {@code partitions}, in their order; others are not computed.
   */
  public static <T> JavaRDD<T> only(JavaRDD<T> rdd, Set<Integer> partitions) {
    Set<Integer> kept = Set.copyOf(partitions);
    return new PartitionPruningRDD<>(
            rdd.rdd(),
            (Function1<Object, Object> & Serializable) partition -> kept.contains(partition),
            rdd.classTag())
        .toJavaRDD();
  }
}
