/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.loop;

import io.sparknd.embedding.internal.step.StepRanges;

/**
 * How long the next job of a {@link BarrierLoop} takes, as the ones before tell. After one that
 * failed, the next takes few steps: who does not know which step failed begins again with the
 * first.
 */
final class BarrierJobLength {
  private static final int FEW_STEPS = 8;

  /** Steps that shuffles take before it is asked again whether they have to. */
  private static final int MANY_STEPS = 256;

  private static final int MOST_GROWTH = 8;

  private static final long MOST_STEPS = 1 << 30;

  private final long mostNanos;
  private long mostSteps = MOST_STEPS;

  /** For how long the next job takes steps; 0 if there was none before. */
  private long nanos;

  /**
   * Begins without jobs.
   *
   * @param mostNanos the longest time of a job
   */
  BarrierJobLength(long mostNanos) {
    this.mostNanos = mostNanos;
  }

  /**
   * Returns for how long the next job takes steps. The first one is short if it has fewer tasks
   * than there is work for: other executors may be about to begin.
   *
   * @param most tasks for which there is work
   */
  BarrierJobTime next(int tasks, int most) {
    return new BarrierJobTime(nanos == 0 && tasks < most ? 1 : nanos, mostNanos);
  }

  /**
   * Returns the steps of the next job that begins with {@code step}, if it has the time for them.
   */
  StepRanges steps(long step, StepRanges jobs) {
    return limited(step, jobs, mostSteps);
  }

  /** Returns the steps that jobs of shuffles take from {@code step} on after a job that failed. */
  StepRanges stepsAfterFailure(long step, StepRanges jobs) {
    return limited(step, jobs, FEW_STEPS);
  }

  /** Returns the steps that jobs of shuffles take from {@code step} on while no job is tried. */
  StepRanges stepsOfPause(long step, StepRanges jobs) {
    return limited(step, jobs, MANY_STEPS);
  }

  private static StepRanges limited(long step, StepRanges jobs, long most) {
    if (jobs.stop() - step <= most) {
      return jobs;
    }
    long perJob = jobs.perJob();
    long end = (step + most + perJob - 1) / perJob * perJob;
    return new StepRanges(jobs.perJob(), Math.min(end, jobs.stop()));
  }

  /** Learns from a job that failed. */
  void failed() {
    mostSteps = FEW_STEPS;
  }

  /**
   * Learns from a job. One of fewer than two steps does not tell how long a step takes.
   *
   * @param ran for how long it ran, in nanoseconds, until its version could be used
   */
  void ran(StepTimes times, long ran) {
    if (times.jobs() >= 2) {
      double beside = ran - times.nanosPerJob() * times.jobs();
      double target = Math.min(BarrierJobTime.SHARE * beside, (double) ran * MOST_GROWTH);
      nanos = (long) Math.max(1, target);
    }
    mostSteps = Math.min(MOST_STEPS, mostSteps * MOST_GROWTH);
  }
}
