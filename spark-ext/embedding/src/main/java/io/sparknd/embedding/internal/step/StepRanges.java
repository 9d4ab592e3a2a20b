/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.step;

import java.io.Serializable;

/**
 * The jobs of a training up to a stop.
 *
 * @param perJob steps of a job; jobs begin at multiples of it
 * @param stop the step before which the last one ends
 */
public record StepRanges(int perJob, long stop) implements Serializable {
  /** Returns the mini-batches of the job that begins at {@code step}; none at the stop. */
  public StepRange at(long step) {
    long untilNextGroup = perJob - step % perJob;
    return new StepRange(step, (int) Math.max(0, Math.min(untilNextGroup, stop - step)));
  }

  /** Returns the number of jobs from {@code step}, with which one begins. */
  public int count(long step) {
    return Math.toIntExact((stop + perJob - 1) / perJob - step / perJob);
  }
}
