/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.store;

import io.sparknd.cluster.internal.spark.SneakyThrow;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Pauses for a random time after a lost race, so that the same writers do not collide again at
 * once.
 */
public final class CommitBackoff {
  private static final int MIN_MILLIS = 20;
  private static final int MAX_MILLIS = 500;

  private CommitBackoff() {}

  /** Pauses before an attempt; {@code attempt} counts from 1. */
  public static void pause(int attempt) {
    int most = Math.min(MAX_MILLIS, MIN_MILLIS << Math.min(attempt, 10));
    try {
      Thread.sleep(ThreadLocalRandom.current().nextInt(MIN_MILLIS, most + 1));
    } catch (InterruptedException e) {
      throw SneakyThrow.thrown(e); // as Spark's jobs do
    }
  }
}
