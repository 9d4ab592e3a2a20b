/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.loop;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;

/** When a task of a {@link BarrierLoop} took its steps, in nanoseconds before its end. */
final class StepTimes implements Serializable {
  private static final long serialVersionUID = 1;

  private final List<Long> times = new ArrayList<>();
  private long end;

  /** Adds a job that has ended now. */
  void add() {
    times.add(System.nanoTime());
  }

  /** Returns this, once the task has ended. */
  StepTimes ended() {
    end = System.nanoTime();
    return this;
  }

  /** Returns for how long the task went on after job {@code number}. */
  long nanosAfter(int number) {
    return end - times.get(number);
  }

  /**
   * Returns the mean time of the second half of the jobs, at least two: the first ones copy the
   * rows that they change.
   */
  double nanosPerJob() {
    int from = (times.size() - 1) / 2;
    int last = times.size() - 1;
    return (double) (times.get(last) - times.get(from)) / (last - from);
  }

  int jobs() {
    return times.size();
  }
}
