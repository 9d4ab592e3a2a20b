/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.optimizer;

import java.io.Serializable;
import java.util.Objects;

/**
 * The options that all optimizers share.
 *
 * @param schedule schedule of the learning rate
 * @param l2 factor of the weight that is added to the gradient, at least 0
 * @param clip clip applied to the gradient after L2
 */
public record DescentOptions(LearningRateSchedule schedule, double l2, Clip clip)
    implements Serializable {
  public DescentOptions {
    Objects.requireNonNull(schedule, "schedule");
    Objects.requireNonNull(clip, "clip");
    OptimizerBounds.notNegative("l2", l2);
  }

  static DescentOptions at(double rate) {
    return new DescentOptions(LearningRateSchedule.constant(rate), 0, Clip.none());
  }

  /** Returns the learning rate of a step, rounded to float32. */
  float rate(long step) {
    return (float) schedule.rate(step);
  }

  /** Returns an update that applies L2 and the clip to gradients, then {@code rule}. */
  RowUpdate before(RowUpdate.Rule rule, int dim) {
    return new RowUpdate((float) l2, clip, dim, rule);
  }
}
