/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.spark;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;
import org.apache.spark.Dependency;
import org.apache.spark.ShuffleDependency;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.rdd.RDD;
import scala.jdk.javaapi.CollectionConverters;

/** The RDDs that others are computed from. */
public final class RddLineage {
  private RddLineage() {}

  /** Returns whether the lineage of an RDD has a shuffle, up to where it is cut off. */
  public static boolean hasShuffle(JavaRDD<?> rdd) {
    Deque<RDD<?>> next = new ArrayDeque<>();
    Set<Integer> seen = new HashSet<>();
    next.add(rdd.rdd());
    while (!next.isEmpty()) {
      for (Dependency<?> parent : CollectionConverters.asJava(next.remove().dependencies())) {
        if (parent instanceof ShuffleDependency) {
          return true;
        }
        if (seen.add(parent.rdd().id())) {
          next.add(parent.rdd());
        }
      }
    }
    return false;
  }
}
