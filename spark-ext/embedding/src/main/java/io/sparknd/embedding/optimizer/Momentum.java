/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.optimizer;

import java.util.List;

/**
 * Gradient descent with momentum, as Keras' {@code SGD}: {@code velocity = momentum * velocity -
 * rate * gradient}, then {@code weight += velocity}. Nesterov momentum replaces the latter by
 * {@code weight += momentum * velocity - rate * gradient}. The updates are lazy: rows that a
 * mini-batch does not touch keep weights and velocity.
 *
 * @param descent learning rate, L2 and clip
 * @param momentum in [0, 1)
 * @param nesterov whether to use Nesterov momentum
 */
public record Momentum(DescentOptions descent, double momentum, boolean nesterov)
    implements Optimizer {
  public Momentum {
    OptimizerBounds.fraction("momentum", momentum);
  }

  /** Enables Nesterov momentum. */
  public Momentum withNesterov() {
    return new Momentum(descent, momentum, true);
  }

  @Override
  public Momentum withDescent(DescentOptions other) {
    return new Momentum(other, momentum, nesterov);
  }

  @Override
  public List<OptimizerSlot> slots() {
    return List.of(OptimizerSlot.element("velocity", 0));
  }

  @Override
  public RowUpdate update(long step, int dim) {
    float rate = descent.rate(step);
    return descent.before(nesterov ? ahead(rate, dim) : plain(rate, dim), dim);
  }

  private RowUpdate.Rule plain(float rate, int dim) {
    float share = (float) momentum;
    return (weights, at, state, row, gradient, from) -> {
      float[] velocities = state[0];
      int own = row * dim;
      for (int i = 0; i < dim; i++) {
        float velocity = share * velocities[own + i] - rate * gradient[from + i];
        velocities[own + i] = velocity;
        weights[at + i] = weights[at + i] + velocity;
      }
    };
  }

  private RowUpdate.Rule ahead(float rate, int dim) {
    float share = (float) momentum;
    return (weights, at, state, row, gradient, from) -> {
      float[] velocities = state[0];
      int own = row * dim;
      for (int i = 0; i < dim; i++) {
        float move = rate * gradient[from + i];
        float velocity = share * velocities[own + i] - move;
        velocities[own + i] = velocity;
        weights[at + i] = weights[at + i] + (share * velocity - move);
      }
    };
  }
}
