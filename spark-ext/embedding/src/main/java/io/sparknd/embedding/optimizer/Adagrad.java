/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.optimizer;

import io.sparknd.kernel.cpu.FloatRows;
import io.sparknd.kernel.cpu.FloatRows.AdagradStep;
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
    AdagradStep numbers = new AdagradStep(descent.rate(step), (float) epsilon, 0);
    return descent.before(
        (weights, at, state, row, gradient, from) ->
            FloatRows.adagrad(weights, at, state[0], row * dim, gradient, from, dim, numbers),
        dim);
  }
}
