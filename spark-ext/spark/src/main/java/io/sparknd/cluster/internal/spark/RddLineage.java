/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.spark;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.spark.Dependency;
import org.apache.spark.MapOutputTrackerMaster;
import org.apache.spark.ShuffleDependency;
import org.apache.spark.SparkEnv;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.rdd.RDD;
import scala.jdk.javaapi.CollectionConverters;

/** The RDDs that others are computed from. */
public final class RddLineage {
  private RddLineage() {}

  /** Returns whether the lineage of an RDD has a shuffle, up to where it is cut off. */
  public static boolean hasShuffle(JavaRDD<?> rdd) {
    return !shuffles(rdd).isEmpty();
  }

  /**
   * Registers the shuffles in the lineage of an RDD that no job has run. Spark's driver does not
   * answer a task that reads a shuffle which it does not know: the task would wait for minutes
   * before it fails.
   */
  public static void registerShuffles(JavaRDD<?> rdd) {
    MapOutputTrackerMaster tracker = (MapOutputTrackerMaster) SparkEnv.get().mapOutputTracker();
    shuffles(rdd).stream()
        .filter(shuffle -> !tracker.containsShuffle(shuffle.shuffleId()))
        .forEach(
            shuffle ->
                tracker.registerShuffle(
                    shuffle.shuffleId(),
                    shuffle.rdd().getNumPartitions(),
                    shuffle.partitioner().numPartitions()));
  }

  private static List<ShuffleDependency<?, ?, ?>> shuffles(JavaRDD<?> rdd) {
    List<ShuffleDependency<?, ?, ?>> shuffles = new ArrayList<>();
    Deque<RDD<?>> next = new ArrayDeque<>();
    Set<Integer> seen = new HashSet<>();
    next.add(rdd.rdd());
    while (!next.isEmpty()) {
      for (Dependency<?> parent : CollectionConverters.asJava(next.remove().dependencies())) {
        if (parent instanceof ShuffleDependency<?, ?, ?> shuffle) {
          shuffles.add(shuffle);
        }
        if (seen.add(parent.rdd().id())) {
          next.add(parent.rdd());
        }
      }
    }
    return shuffles;
  }
}
