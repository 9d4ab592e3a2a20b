/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.optimizer;

import java.util.List;

/**
 * Adam with decoupled weight decay (Loshchilov and Hutter, 2019) as in PyTorch: {@code weight *= 1
 * - rate * decay}, then {@code m += (gradient - m) * (1 - beta1)}, {@code v += (gradient * gradient
 * - v) * (1 - beta2)}, then {@code weight -= m * (rate / (1 - beta1^t)) / (sqrt(v) / sqrt(1 -
 * beta2^t) + epsilon)}, where {@code t} counts all mini-batches from 1. Unlike Keras' {@link Adam},
 * it adds epsilon after the bias correction.
 *
 * <p>The updates are lazy. Rows that a mini-batch does not touch keep weights, m and v: they do not
 * decay, so rare rows decay less than frequent ones. Because {@code t} counts all mini-batches, a
 * row whose first gradient comes late has small m and v and no correction for them: its first step
 * is up to {@code (1 - beta1) / sqrt(1 - beta2)} times the rate, 3.2 times by default.
 *
 * @param descent learning rate, L2 and clip; L2 is not decoupled
 * @param beta1 decay rate of m, in [0, 1)
 * @param beta2 decay rate of v, in [0, 1)
 * @param epsilon added to the corrected root of v, above 0
 * @param decay PyTorch's {@code weight_decay}, at least 0
 */
public record AdamW(
    DescentOptions descent, double beta1, double beta2, double epsilon, double decay)
    implements Optimizer {
  public AdamW {
    OptimizerBounds.fraction("beta1", beta1);
    OptimizerBounds.fraction("beta2", beta2);
    OptimizerBounds.positive("epsilon", epsilon);
    OptimizerBounds.notNegative("weight decay", decay);
  }

  /** Sets the decay rates of m and v, each in [0, 1). */
  public AdamW withBetas(double first, double second) {
    return new AdamW(descent, first, second, epsilon, decay);
  }

  /** Sets the value added to the corrected root of v, above 0. */
  public AdamW withEpsilon(double other) {
    return new AdamW(descent, beta1, beta2, other, decay);
  }

  /**
   * Sets the weight decay, at least 0; each step multiplies weights by {@code 1 - rate * decay}.
   */
  public AdamW withWeightDecay(double other) {
    return new AdamW(descent, beta1, beta2, epsilon, other);
  }

  @Override
  public AdamW withDescent(DescentOptions other) {
    return new AdamW(other, beta1, beta2, epsilon, decay);
  }

  @Override
  public List<OptimizerSlot> slots() {
    return List.of(OptimizerSlot.element("m", 0), OptimizerSlot.element("v", 0));
  }

  @Override
  public RowUpdate update(long step, int dim) {
    double rate = descent.schedule().rate(step);
    float kept = (float) (1 - rate * decay);
    float pace = (float) (rate / (1 - StrictMath.pow(beta1, (double) (step + 1))));
    float spread = (float) Math.sqrt(1 - StrictMath.pow(beta2, (double) (step + 1)));
    float fresh1 = (float) (1 - beta1);
    float fresh2 = (float) (1 - beta2);
    float small = (float) epsilon;
    return descent.before(
        (weights, at, state, row, gradient, from) -> {
          float[] ms = state[0];
          float[] vs = state[1];
          int own = row * dim;
          for (int i = 0; i < dim; i++) {
            float slope = gradient[from + i];
            float m = ms[own + i] + (slope - ms[own + i]) * fresh1;
            float v = vs[own + i] + (slope * slope - vs[own + i]) * fresh2;
            ms[own + i] = m;
            vs[own + i] = v;
            float root = (float) Math.sqrt(v) / spread + small;
            weights[at + i] = weights[at + i] * kept - m * pace / root;
          }
        },
        dim);
  }
}
