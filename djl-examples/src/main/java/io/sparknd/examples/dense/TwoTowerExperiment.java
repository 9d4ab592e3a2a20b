/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.examples.dense;

import static io.sparknd.examples.support.Console.say;

import org.apache.spark.sql.SparkSession;

/** Trains two towers on planted visits: which item does a user visit, and which not? */
public final class TwoTowerExperiment {
  private static final int USERS = 2_000;
  private static final int TOPICS = 10;
  private static final int ITEMS = 1_000;
  private static final int DIM = 16;
  private static final int SHARDS = 2;
  private static final long HELD_OUT = 1L << 40;
  private static final int HELD_OUT_VISITS = 5_000;

  private TwoTowerExperiment() {}

  /**
   * Trains and compares.
   *
   * @param size visits in a shard's part of a mini-batch
   * @return the AUC of held-out visits, beside visits of the same users to random items
   */
  public static double run(SparkSession spark, int steps, int size) {
    PlantedVisits visits = new PlantedVisits(USERS, ITEMS, TOPICS, 1);
    ItemVisits made = visits.visits(HELD_OUT, 0, HELD_OUT_VISITS);
    ItemVisits both = made.and(visits.others(made));
    boolean[] isMade = new boolean[both.count()];
    float[] truth = new float[both.count()];
    for (int i = 0; i < truth.length; i++) {
      isMade[i] = i < made.count();
      truth[i] = visits.isOwnTopic(both, i) ? 1 : 0;
    }
    say(
        "visits",
        "%,d of %,d users to %,d items of %d topics",
        (long) SHARDS * size * steps,
        USERS,
        ITEMS,
        TOPICS);
    return new TorchComparison<>(
            spark,
            new TwoTowerModel(USERS, ITEMS, DIM),
            (step, shard) -> visits.visits(step, shard, size),
            SHARDS,
            steps)
        .run(new HeldOutExamples<>(both, isMade, truth));
  }
}
