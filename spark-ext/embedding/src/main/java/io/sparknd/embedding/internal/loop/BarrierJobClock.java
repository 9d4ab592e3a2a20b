/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.loop;

import io.sparknd.embedding.internal.step.StepRange;
import io.sparknd.embedding.internal.step.StepRanges;

/** Says when a job of a {@link BarrierLoop} has to end, by the clock of one of its tasks. */
final class BarrierJobClock {
  /** What a task tells the others in a phase: that the job ends with the next mini-batches. */
  static final int ENDS = 1;

  /** That it goes on, for all that this task knows. */
  static final int GOES_ON = 0;

  private final StepRanges jobs;
  private final BarrierJobTime time;
  private final StepTimes times;

  /** When the first rows had been requested of all tasks; 0 before. */
  private long begin;

  /**
   * Makes a clock, which starts with the first steps: what a task reads before them counts as done
   * beside them.
   *
   * @param time for how long to take steps
   * @param times when the task took its steps
   */
  BarrierJobClock(StepRanges jobs, BarrierJobTime time, StepTimes times) {
    this.jobs = jobs;
    this.time = time;
    this.times = times;
  }

  /**
   * Returns the note of a phase in which the rows of {@code next} are requested.
   *
   * @param bytes the bytes of the version that the task stores at the end
   */
  int note(StepRange next, long bytes) {
    long most = time.of(bytes);
    boolean isOver = begin != 0 && System.nanoTime() - begin >= most;
    return isOver && !isNearStop(next, most) ? ENDS : GOES_ON;
  }

  /** Returns whether another job would be much shorter than this one. */
  private boolean isNearStop(StepRange next, long most) {
    double perJob = times.jobs() < 2 ? most : times.nanosPerJob();
    return perJob * jobs.count(next.end()) < most / 2.0;
  }

  /**
   * Returns the mini-batches after {@code now}; none if the job ends, or if there were none.
   *
   * @param note the largest note of all tasks when the rows of {@code now} were requested
   */
  StepRange after(StepRange now, int note) {
    begin = begin == 0 ? System.nanoTime() : begin;
    boolean ends = note == ENDS || now.count() == 0;
    return ends ? new StepRange(now.end(), 0) : jobs.at(now.end());
  }
}
