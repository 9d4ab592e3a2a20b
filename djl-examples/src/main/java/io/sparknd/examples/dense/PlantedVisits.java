/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.examples.dense;

import io.sparknd.examples.support.SeededDraws;
import io.sparknd.examples.support.WeightedChoice;
import java.io.Serializable;
import java.util.SplittableRandom;

/**
 * Visits with planted tastes: users and items have topics, and users visit items of their topic.
 */
public final class PlantedVisits implements Serializable {
  private static final double OWN_TOPIC = 0.8;

  private final int users;
  private final int topics;
  private final long seed;
  private final WeightedChoice popular;

  /**
   * @param topics divides {@code items}
   */
  public PlantedVisits(int users, int items, int topics, long seed) {
    this.users = users;
    this.topics = topics;
    this.seed = seed;
    this.popular = WeightedChoice.zipf(items / topics, 0.8);
  }

  /** Returns the visits of a part of a mini-batch. */
  public ItemVisits visits(long step, int shard, int count) {
    SplittableRandom random = SeededDraws.of(seed, step, shard);
    long[] who = random.longs(count, 0, users).toArray();
    long[] what = new long[count];
    for (int i = 0; i < count; i++) {
      int topic = topic(who[i]);
      what[i] = item(random.nextDouble() < OWN_TOPIC ? topic : random.nextInt(topics), random);
    }
    return visits(who, what);
  }

  /** Returns as many visits of the same users to items of random topics. */
  public ItemVisits others(ItemVisits visits) {
    SplittableRandom random = SeededDraws.of(seed, visits.count(), -1);
    long[] what = new long[visits.count()];
    for (int i = 0; i < what.length; i++) {
      what[i] = item(random.nextInt(topics), random);
    }
    return visits(visits.users(), what);
  }

  private ItemVisits visits(long[] who, long[] what) {
    float[] often = new float[what.length];
    for (int i = 0; i < often.length; i++) {
      long rank = what[i] / topics;
      often[i] = (float) (-0.8 * Math.log(rank + 1.0));
    }
    return new ItemVisits(who, what, often);
  }

  /** Whether a visit is to an item of the user's topic. */
  public boolean isOwnTopic(ItemVisits visits, int i) {
    return topic(visits.users()[i]) == visits.items()[i] % topics;
  }

  private int topic(long user) {
    return SeededDraws.of(seed, user, -2).nextInt(topics);
  }

  private long item(int topic, SplittableRandom random) {
    return (long) popular.draw(random) * topics + topic;
  }
}
