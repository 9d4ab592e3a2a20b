/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.spark;

import java.util.Arrays;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.SparkEnv;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.rdd.RDD;
import org.apache.spark.storage.BlockManager;
import org.apache.spark.storage.BlockStatus;
import org.apache.spark.storage.RDDBlockId;
import scala.Option;

/** The partitions of persisted RDDs that this JVM has stored. */
public final class CachedPartitions {
  private CachedPartitions() {}

  /**
   * Returns the bytes that the partitions take of Spark's memory, without a job; empty if this JVM
   * does not have all of them in memory. For the driver in local mode.
   */
  public static OptionalLong memoryBytes(JavaRDD<?> rdd) {
    long[] bytes =
        statuses(rdd.rdd())
            .mapToLong(status -> status.isDefined() ? status.get().memSize() : 0)
            .toArray();
    return Arrays.stream(bytes).allMatch(size -> size > 0)
        ? OptionalLong.of(Arrays.stream(bytes).sum())
        : OptionalLong.empty();
  }

  /** Returns whether this JVM has all partitions, in memory or on disk. */
  static boolean isWhole(RDD<?> rdd) {
    return statuses(rdd).allMatch(Option::isDefined);
  }

  private static Stream<Option<BlockStatus>> statuses(RDD<?> rdd) {
    BlockManager blocks = SparkEnv.get().blockManager();
    return IntStream.range(0, rdd.getNumPartitions())
        .mapToObj(i -> blocks.getStatus(new RDDBlockId(rdd.id(), i)));
  }

  /** Removes a partition, once nobody reads it any more. For tasks. */
  static void remove(int rdd, int partition) {
    SparkEnv.get().blockManager().removeBlock(new RDDBlockId(rdd, partition), false);
  }
}
