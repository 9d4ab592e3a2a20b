/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.examples.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.sparknd.embedding.EmbeddingRows;
import io.sparknd.embedding.Loss;
import io.sparknd.embedding.StepFunction;

/** Compares the gradient of a step function with difference quotients of its loss. */
public final class GradientCheck {
  private static final float STEP = 1e-2f;
  private static final double TOLERANCE = 2e-3;

  private GradientCheck() {}

  /** Checks every element of every row of a batch. */
  public static <B> void check(StepFunction<B> function, B batch, int dim) {
    EmbeddingRows rows = rows(function, batch, dim, -1, -1, 0);
    function.step(batch, rows);
    for (int slot = 0; slot < rows.count(); slot++) {
      for (int d = 0; d < dim; d++) {
        double above = loss(function, batch, dim, rows.id(slot), d, STEP);
        double below = loss(function, batch, dim, rows.id(slot), d, -STEP);
        assertThat((double) rows.gradients()[slot * dim + d])
            .as("element %d of row %d", d, rows.id(slot))
            .isCloseTo((above - below) / (2 * STEP), within(TOLERANCE));
      }
    }
  }

  private static <B> double loss(
      StepFunction<B> function, B batch, int dim, long id, int element, float change) {
    Loss loss = function.step(batch, rows(function, batch, dim, id, element, change));
    return loss.sum();
  }

  /** Returns rows whose elements depend only on the id, except one changed element. */
  private static <B> EmbeddingRows rows(
      StepFunction<B> function, B batch, int dim, long changed, int element, float change) {
    return EmbeddingRows.of(
        function.ids(batch),
        dim,
        id -> {
          float[] row = new float[dim];
          var random = SeededDraws.of(5, id);
          for (int d = 0; d < dim; d++) {
            row[d] = (float) random.nextDouble() - 0.5f;
          }
          if (id == changed) {
            row[element] += change;
          }
          return row;
        });
  }
}
