/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.optimizer;

import java.io.Serializable;
import java.util.Objects;

/**
 * What all optimizers have in common.
 *
 * @param schedule of the learning rate
 * @param l2 times the weight is added to the gradient, at least 0
 * @param clip applied to the gradient after that
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

  /** The learning rate as rows meet it. */
  float rate(long step) {
    return (float) schedule.rate(step);
  }

  /** {@code rule} on gradients that have their L2 and are clipped. */
  RowUpdate before(RowUpdate.Rule rule, int dim) {
    return new RowUpdate((float) l2, clip, dim, rule);
  }
}
