/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.optimizer;

import java.util.List;

/**
 * Adagrad with one accumulator per row, of the mean of squares, as FBGEMM's {@code
 * EXACT_ROWWISE_ADAGRAD}, which TorchRec uses: {@code accumulator += sum(gradient * gradient) /
 * dim}, then {@code weight -= rate / (sqrt(accumulator) + epsilon) * gradient}. The sum has the
 * order of {@code numpy.sum}.
 *
 * @param descent learning rate, L2 and clip
 * @param initialAccumulator initial value of accumulators, at least 0
 * @param epsilon added to the root of accumulators, above 0
 */
public record RowWiseAdagrad(DescentOptions descent, double initialAccumulator, double epsilon)
    implements Optimizer {
  public RowWiseAdagrad {
    OptimizerBounds.notNegative("initial accumulator", initialAccumulator);
    OptimizerBounds.positive("epsilon", epsilon);
  }

  /** Sets the initial value of accumulators, at least 0. */
  public RowWiseAdagrad withInitialAccumulator(double initial) {
    return new RowWiseAdagrad(descent, initial, epsilon);
  }

  /** Sets the value added to the root of accumulators, above 0. */
  public RowWiseAdagrad withEpsilon(double other) {
    return new RowWiseAdagrad(descent, initialAccumulator, other);
  }

  @Override
  public RowWiseAdagrad withDescent(DescentOptions other) {
    return new RowWiseAdagrad(other, initialAccumulator, epsilon);
  }

  @Override
  public List<OptimizerSlot> slots() {
    return List.of(OptimizerSlot.row("accumulator", initialAccumulator));
  }

  @Override
  public RowUpdate update(long step, int dim) {
    float rate = descent.rate(step);
    float small = (float) epsilon;
    return descent.before(
        (weights, at, state, row, gradient, from) -> {
          float accumulator = state[0][row] + SquareSums.sum(gradient, from, dim) / dim;
          state[0][row] = accumulator;
          float pace = rate / ((float) Math.sqrt(accumulator) + small);
          for (int i = 0; i < dim; i++) {
            weights[at + i] = weights[at + i] - pace * gradient[from + i];
          }
        },
        dim);
  }
}
