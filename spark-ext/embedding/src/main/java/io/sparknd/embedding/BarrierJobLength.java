/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding;

import java.util.concurrent.TimeUnit;

/**
 * How many steps a job of a {@link BarrierLoop} takes: so many that copying the rows that they
 * change and storing a version, of which executors have two copies, takes a thirtieth of the time;
 * but no fewer than take two seconds and no more than take a minute, for which it holds its cores
 * and nothing is reported.
 */
final class BarrierJobLength {
  private static final int FIRST_STEPS = 8;
  private static final int MOST_GROWTH = 8;
  private static final int SHARE = 30;
  private static final long LEAST_NANOS = TimeUnit.SECONDS.toNanos(2);
  private static final long MOST_NANOS = TimeUnit.MINUTES.toNanos(1);

  private long steps = FIRST_STEPS;

  /** Returns the step before which a job ends that begins with {@code step}. */
  long end(long step, StepRanges jobs) {
    long perJob = jobs.perJob();
    long end = (step + steps + perJob - 1) / perJob * perJob;
    // no job of a few steps after it
    return jobs.stop() - end < steps / 2 ? jobs.stop() : Math.min(end, jobs.stop());
  }

  /**
   * Learns from a job.
   *
   * @param nanos for how long it ran
   */
  void ran(long taken, StepTimes times, long nanos) {
    double perStep =
        times.jobs() < 2 ? (double) nanos / taken : times.nanosPerJob() * times.jobs() / taken;
    double beside = Math.max(0, nanos - perStep * taken);
    double target = Math.min(MOST_NANOS, Math.max(LEAST_NANOS, SHARE * beside));
    steps =
        (long) Math.max(1, Math.min(target / Math.max(1, perStep), (double) taken * MOST_GROWTH));
  }
}
