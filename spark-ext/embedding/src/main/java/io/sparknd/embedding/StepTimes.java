/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

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
   * Returns the median time from one job to the next: the first ones copy the rows that they
   * change.
   */
  long medianNanos() {
    long[] between =
        IntStream.range(1, times.size())
            .mapToLong(i -> times.get(i) - times.get(i - 1))
            .sorted()
            .toArray();
    return between[between.length / 2];
  }

  int jobs() {
    return times.size();
  }
}
