/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.optimizer;

import java.util.List;

/**
 * Lion, evolved sign momentum (Chen et al., 2023): {@code direction = sign(beta1 * m + (1 - beta1)
 * * gradient)}, then {@code weight -= rate * (direction + decay * weight)} and {@code m = beta2 * m
 * + (1 - beta2) * gradient}. The sign of 0 is 0. Every weight of a touched row moves by the rate,
 * so rates are a third to a tenth of Adam's. Without decay, this is Keras' {@code Lion}.
 *
 * <p>The updates are lazy. Rows that a mini-batch does not touch keep weights and m, and do not
 * decay. There is no bias correction.
 *
 * @param descent learning rate, L2 and clip
 * @param beta1 share of m in the direction, in [0, 1)
 * @param beta2 decay rate of m, in [0, 1)
 * @param decay the paper's lambda, at least 0
 */
public record Lion(DescentOptions descent, double beta1, double beta2, double decay)
    implements Optimizer {
  public Lion {
    OptimizerBounds.fraction("beta1", beta1);
    OptimizerBounds.fraction("beta2", beta2);
    OptimizerBounds.notNegative("weight decay", decay);
  }

  /** Sets the share of m in the direction and the decay rate of m, each in [0, 1). */
  public Lion withBetas(double first, double second) {
    return new Lion(descent, first, second, decay);
  }

  /** Sets the weight decay, the paper's lambda, at least 0. */
  public Lion withWeightDecay(double other) {
    return new Lion(descent, beta1, beta2, other);
  }

  @Override
  public Lion withDescent(DescentOptions other) {
    return new Lion(other, beta1, beta2, decay);
  }

  @Override
  public List<OptimizerSlot> slots() {
    return List.of(OptimizerSlot.element("m", 0));
  }

  @Override
  public RowUpdate update(long step, int dim) {
    float rate = descent.rate(step);
    float share1 = (float) beta1;
    float share2 = (float) beta2;
    float fresh1 = (float) (1 - beta1);
    float fresh2 = (float) (1 - beta2);
    float lambda = (float) decay;
    return descent.before(
        (weights, at, state, row, gradient, from) -> {
          float[] ms = state[0];
          int own = row * dim;
          for (int i = 0; i < dim; i++) {
            float slope = gradient[from + i];
            float m = ms[own + i];
            float direction = Math.signum(share1 * m + fresh1 * slope);
            ms[own + i] = share2 * m + fresh2 * slope;
            weights[at + i] = weights[at + i] - rate * (direction + lambda * weights[at + i]);
          }
        },
        dim);
  }
}
