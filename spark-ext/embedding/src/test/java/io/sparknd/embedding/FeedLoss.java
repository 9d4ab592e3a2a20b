/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding;

import org.apache.spark.MapOutputTrackerMaster;
import org.apache.spark.ShuffleDependency;
import org.apache.spark.SparkEnv;
import org.apache.spark.rdd.RDD;
import scala.jdk.javaapi.CollectionConverters;

/** Loses what executors have of a feed, as if all of them were killed. */
final class FeedLoss {
  private FeedLoss() {}

  /** Drops the chunks and the outputs of the shuffles that they are computed from. */
  static void loseAll(TrainingFeed feed) {
    RDD<?> chunks = feed.chunks().rdd();
    chunks.context().unpersistRDD(chunks.id(), true);
    loseShuffles(chunks);
  }

  private static void loseShuffles(RDD<?> rdd) {
    CollectionConverters.asJava(rdd.dependencies())
        .forEach(
            parent -> {
              if (parent instanceof ShuffleDependency<?, ?, ?> shuffle) {
                ((MapOutputTrackerMaster) SparkEnv.get().mapOutputTracker())
                    .unregisterAllMapAndMergeOutput(shuffle.shuffleId());
              }
              loseShuffles(parent.rdd());
            });
  }
}
