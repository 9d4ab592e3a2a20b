/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.optimizer;

import java.util.List;

/**
 * Adagrad (Duchi et al., 2011) as in Keras: {@code accumulator += gradient * gradient}, then {@code
 * weight -= rate * gradient / sqrt(accumulator + epsilon)}.
 *
 * @param descent learning rate, L2 and clip
 * @param initialAccumulator initial value of accumulators, at least 0
 * @param epsilon added to accumulators under the root, above 0
 */
public record Adagrad(DescentOptions descent, double initialAccumulator, double epsilon)
    implements Optimizer {
  public Adagrad {
    OptimizerBounds.notNegative("initial accumulator", initialAccumulator);
    OptimizerBounds.positive("epsilon", epsilon);
  }

  /** Sets the initial value of accumulators, at least 0. */
  public Adagrad withInitialAccumulator(double initial) {
    return new Adagrad(descent, initial, epsilon);
  }

  /** Sets the value added to accumulators under the root, above 0. */
  public Adagrad withEpsilon(double other) {
    return new Adagrad(descent, initialAccumulator, other);
  }

  @Override
  public Adagrad withDescent(DescentOptions other) {
    return new Adagrad(other, initialAccumulator, epsilon);
  }

  @Override
  public List<OptimizerSlot> slots() {
    return List.of(OptimizerSlot.element("accumulator", initialAccumulator));
  }

  @Override
  public RowUpdate update(long step, int dim) {
    float rate = descent.rate(step);
    float small = (float) epsilon;
    return descent.before(
        (weights, at, state, row, gradient, from) -> {
          float[] accumulators = state[0];
          int own = row * dim;
          for (int i = 0; i < dim; i++) {
            float slope = gradient[from + i];
            float accumulator = accumulators[own + i] + slope * slope;
            accumulators[own + i] = accumulator;
            float root = (float) Math.sqrt(accumulator + small);
            weights[at + i] = weights[at + i] - rate * slope / root;
          }
        },
        dim);
  }
}
