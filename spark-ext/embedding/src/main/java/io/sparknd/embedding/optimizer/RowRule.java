/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.optimizer;

/** Updates a row in one step of an {@link OptimizerRule}. */
@FunctionalInterface
public interface RowRule {
  /**
   * Updates the row and its state in place. The arrays are the row's only during the call; state
   * that is kept elsewhere is lost.
   *
   * @param weights {@code [dim]}
   * @param state an array per slot, {@code [dim]} or, for slots with one value per row, {@code [1]}
   * @param gradient {@code [dim]}, the sum of the row's gradients after L2 and the clip
   */
  void apply(float[] weights, float[][] state, float[] gradient);
}
