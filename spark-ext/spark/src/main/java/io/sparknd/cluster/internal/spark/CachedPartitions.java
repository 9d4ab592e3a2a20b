/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.spark;

import java.util.OptionalLong;
import org.apache.spark.SparkEnv;
import org.apache.spark.api.java.JavaRDD;
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
    BlockManager blocks = SparkEnv.get().blockManager();
    long bytes = 0;
    for (int i = 0; i < rdd.getNumPartitions(); i++) {
      Option<BlockStatus> status = blocks.getStatus(new RDDBlockId(rdd.id(), i));
      if (status.isEmpty() || status.get().memSize() == 0) {
        return OptionalLong.empty();
      }
      bytes += status.get().memSize();
    }
    return OptionalLong.of(bytes);
  }

  /** Returns whether this JVM has all partitions, in memory or on disk. */
  static boolean isWhole(int rdd, int partitions) {
    BlockManager blocks = SparkEnv.get().blockManager();
    for (int i = 0; i < partitions; i++) {
      if (blocks.getStatus(new RDDBlockId(rdd, i)).isEmpty()) {
        return false;
      }
    }
    return true;
  }

  /** Removes a partition, once nobody reads it any more. For tasks. */
  static void remove(int rdd, int partition) {
    SparkEnv.get().blockManager().removeBlock(new RDDBlockId(rdd, partition), false);
  }
}
