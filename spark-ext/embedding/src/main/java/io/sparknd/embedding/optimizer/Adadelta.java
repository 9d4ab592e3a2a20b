/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.optimizer;

import java.util.List;

/**
 * Adadelta (Zeiler, 2012) as in Keras and PyTorch, with epsilon under both roots: {@code squares =
 * rho * squares + (1 - rho) * (gradient * gradient)}, {@code change = sqrt(changes + epsilon) /
 * sqrt(squares + epsilon) * gradient}, {@code changes = rho * changes + (1 - rho) * (change *
 * change)}, then {@code weight -= rate * change}. The paper's rate is 1.
 *
 * <p>The updates are lazy: rows that a mini-batch does not touch keep weights, squares and changes.
 * There is no bias correction, so a row starts with the same small steps whenever its first
 * gradient comes.
 *
 * @param descent learning rate, L2 and clip
 * @param rho decay rate of squares and changes, in [0, 1)
 * @param epsilon added under both roots, above 0; it sets the size of the first steps
 */
public record Adadelta(DescentOptions descent, double rho, double epsilon) implements Optimizer {
  public Adadelta {
    OptimizerBounds.fraction("rho", rho);
    OptimizerBounds.positive("epsilon", epsilon);
  }

  /** Sets the decay rate of squares and changes, in [0, 1). */
  public Adadelta withRho(double other) {
    return new Adadelta(descent, other, epsilon);
  }

  /** Sets the value added under both roots, above 0. */
  public Adadelta withEpsilon(double other) {
    return new Adadelta(descent, rho, other);
  }

  @Override
  public Adadelta withDescent(DescentOptions other) {
    return new Adadelta(other, rho, epsilon);
  }

  @Override
  public List<OptimizerSlot> slots() {
    return List.of(OptimizerSlot.element("squares", 0), OptimizerSlot.element("changes", 0));
  }

  @Override
  public RowUpdate update(long step, int dim) {
    float rate = descent.rate(step);
    float share = (float) rho;
    float fresh = (float) (1 - rho);
    float small = (float) epsilon;
    return descent.before(
        (weights, at, state, row, gradient, from) -> {
          float[] squares = state[0];
          float[] changes = state[1];
          int own = row * dim;
          for (int i = 0; i < dim; i++) {
            float slope = gradient[from + i];
            float square = share * squares[own + i] + fresh * (slope * slope);
            float root = (float) Math.sqrt(square + small);
            float change = (float) Math.sqrt(changes[own + i] + small) / root * slope;
            squares[own + i] = square;
            changes[own + i] = share * changes[own + i] + fresh * (change * change);
            weights[at + i] = weights[at + i] - rate * change;
          }
        },
        dim);
  }
}
