/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.optimizer;

import java.util.List;

/**
 * Gradient descent: {@code weight -= rate * gradient}, as Keras' {@code SGD} without momentum.
 *
 * @param descent learning rate, L2 and clip
 */
public record Sgd(DescentOptions descent) implements Optimizer {

  @Override
  public Sgd withDescent(DescentOptions other) {
    return new Sgd(other);
  }

  @Override
  public List<OptimizerSlot> slots() {
    return List.of();
  }

  @Override
  public RowUpdate update(long step, int dim) {
    float rate = descent.rate(step);
    return descent.before(
        (weights, at, state, row, gradient, from) -> {
          for (int i = 0; i < dim; i++) {
            weights[at + i] = weights[at + i] - rate * gradient[from + i];
          }
        },
        dim);
  }
}
