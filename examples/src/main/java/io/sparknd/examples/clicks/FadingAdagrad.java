/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.examples.clicks;

import io.sparknd.embedding.optimizer.OptimizerRule;
import io.sparknd.embedding.optimizer.OptimizerSlot;
import io.sparknd.embedding.optimizer.RowRule;
import java.util.List;

/**
 * A custom optimizer: Adagrad whose sums of squares fade, so that features which change their
 * meaning are learned anew.
 *
 * @param kept share of a sum that remains with each update of the row, in (0, 1]
 */
public record FadingAdagrad(float kept) implements OptimizerRule {
  private static final float EPSILON = 1e-7f;

  @Override
  public String name() {
    return "fading-adagrad";
  }

  @Override
  public List<OptimizerSlot> slots() {
    return List.of(OptimizerSlot.element("squares", 0.1));
  }

  @Override
  public RowRule at(long step, double rate) {
    return (weights, state, gradient) -> {
      float[] squares = state[0];
      for (int i = 0; i < weights.length; i++) {
        squares[i] = kept * squares[i] + gradient[i] * gradient[i];
        weights[i] -= (float) rate * gradient[i] / (float) Math.sqrt(squares[i] + EPSILON);
      }
    };
  }
}
