/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.loop;

import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.TimeUnit;
import org.apache.spark.SparkContext;

/**
 * Barrier jobs that failed one after the other, by application. After two, none is tried for ten
 * minutes: where executors cannot reach each other's ports, each would wait for them.
 */
public final class BarrierFailures {
  private static final int MOST = 2;
  private static final long PAUSE_NANOS = TimeUnit.MINUTES.toNanos(10);
  private static final Map<SparkContext, Failed> FAILED = new WeakHashMap<>();

  private BarrierFailures() {}

  private record Failed(int count, long nanoTime) {}

  public static synchronized boolean arePaused(SparkContext context) {
    Failed failed = FAILED.get(context);
    return failed != null
        && failed.count() >= MOST
        && System.nanoTime() - failed.nanoTime() < PAUSE_NANOS;
  }

  static synchronized void add(SparkContext context) {
    Failed before = FAILED.getOrDefault(context, new Failed(0, 0));
    FAILED.put(context, new Failed(before.count() + 1, System.nanoTime()));
  }

  static synchronized void clear(SparkContext context) {
    FAILED.remove(context);
  }

  /** Forgets the last failures, of which something else was the cause. */
  static synchronized void forgive(SparkContext context, int count) {
    Failed failed = FAILED.get(context);
    if (failed != null) {
      FAILED.put(context, new Failed(Math.max(0, failed.count() - count), failed.nanoTime()));
    }
  }
}
