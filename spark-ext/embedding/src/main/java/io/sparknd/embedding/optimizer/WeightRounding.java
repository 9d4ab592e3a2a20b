/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.optimizer;

/** How weights of float16 and bfloat16 are rounded after a step; float32 weights need none. */
public enum WeightRounding {
  /**
   * To nearest, ties to even. A weight stays as it is where a step is below half of the distance to
   * the next value: 1/512 of a bfloat16 weight. Small learning rates stall.
   */
  NEAREST,
  /**
   * Up or down at random, the nearer value the more likely, so that the mean of many steps is
   * right. The random bits depend on the id of the row, the step and the place in the row, and on
   * nothing else: the weights have the same bits at every number of partitions.
   */
  STOCHASTIC
}
