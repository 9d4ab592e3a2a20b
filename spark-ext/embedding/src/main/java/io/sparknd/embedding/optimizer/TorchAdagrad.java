/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.optimizer;

import io.sparknd.kernel.cpu.FloatRows;
import io.sparknd.kernel.cpu.FloatRows.AdagradStep;
import java.util.List;

/**
 * Adagrad (Duchi et al., 2011) as in PyTorch: {@code accumulator += gradient * gradient}, then
 * {@code weight -= rate * gradient / (sqrt(accumulator) + epsilon)}. Unlike Keras' {@link Adagrad},
 * it adds epsilon outside the root.
 *
 * @param descent learning rate, L2 and clip
 * @param initialAccumulator initial value of accumulators, at least 0
 * @param epsilon added to the root of accumulators, above 0
 */
public record TorchAdagrad(DescentOptions descent, double initialAccumulator, double epsilon)
    implements Optimizer {
  public TorchAdagrad {
    OptimizerBounds.notNegative("initial accumulator", initialAccumulator);
    OptimizerBounds.positive("epsilon", epsilon);
  }

  /** Sets the initial value of accumulators, at least 0. */
  public TorchAdagrad withInitialAccumulator(double initial) {
    return new TorchAdagrad(descent, initial, epsilon);
  }

  /** Sets the value added to the root of accumulators, above 0. */
  public TorchAdagrad withEpsilon(double other) {
    return new TorchAdagrad(descent, initialAccumulator, other);
  }

  @Override
  public TorchAdagrad withDescent(DescentOptions other) {
    return new TorchAdagrad(other, initialAccumulator, epsilon);
  }

  @Override
  public List<OptimizerSlot> slots() {
    return List.of(OptimizerSlot.element("accumulator", initialAccumulator));
  }

  @Override
  public RowUpdate update(long step, int dim) {
    AdagradStep numbers = new AdagradStep(descent.rate(step), 0, (float) epsilon);
    return descent.before(
        (weights, at, state, row, gradient, from) ->
            FloatRows.adagrad(weights, at, state[0], row * dim, gradient, from, dim, numbers),
        dim);
  }
}
