/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.optimizer;

import io.sparknd.kernel.cpu.FloatRows;
import io.sparknd.kernel.cpu.FloatRows.AdamStep;
import java.util.List;

/**
 * Adam (Kingma and Ba, 2014) as in Keras, in the form before section 2.1 of the paper: {@code m +=
 * (gradient - m) * (1 - beta1)}, {@code v += (gradient * gradient - v) * (1 - beta2)}, then {@code
 * weight -= m * alpha / (sqrt(v) + epsilon)}, where {@code alpha = rate * sqrt(1 - beta2^t) / (1 -
 * beta1^t)} and {@code t} counts all mini-batches from 1. The updates are lazy: rows that a
 * mini-batch does not touch keep m and v, as in TensorFlow Addons' {@code LazyAdam}.
 *
 * <p>{@code alpha} is computed in double and rounded. Keras computes it in float32, where {@code 1
 * - beta2^t} has only four correct digits in the first steps.
 *
 * @param descent learning rate, L2 and clip
 * @param beta1 decay rate of m, in [0, 1)
 * @param beta2 decay rate of v, in [0, 1)
 * @param epsilon added to the root of v, above 0
 */
public record Adam(DescentOptions descent, double beta1, double beta2, double epsilon)
    implements Optimizer {
  public Adam {
    OptimizerBounds.fraction("beta1", beta1);
    OptimizerBounds.fraction("beta2", beta2);
    OptimizerBounds.positive("epsilon", epsilon);
  }

  /** Sets the decay rates of m and v, each in [0, 1). */
  public Adam withBetas(double first, double second) {
    return new Adam(descent, first, second, epsilon);
  }

  /** Sets the value added to the root of v, above 0. */
  public Adam withEpsilon(double other) {
    return new Adam(descent, beta1, beta2, other);
  }

  @Override
  public Adam withDescent(DescentOptions other) {
    return new Adam(other, beta1, beta2, epsilon);
  }

  @Override
  public List<OptimizerSlot> slots() {
    return List.of(OptimizerSlot.element("m", 0), OptimizerSlot.element("v", 0));
  }

  @Override
  public RowUpdate update(long step, int dim) {
    float alpha = (float) (descent.schedule().rate(step) * correction(step + 1));
    AdamStep numbers =
        new AdamStep(alpha, (float) (1 - beta1), (float) (1 - beta2), (float) epsilon);
    return descent.before(
        (weights, at, state, row, gradient, from) ->
            FloatRows.adam(
                weights, at, state[0], state[1], row * dim, gradient, from, dim, numbers),
        dim);
  }

  private double correction(long t) {
    return Math.sqrt(1 - StrictMath.pow(beta2, (double) t))
        / (1 - StrictMath.pow(beta1, (double) t));
  }
}
