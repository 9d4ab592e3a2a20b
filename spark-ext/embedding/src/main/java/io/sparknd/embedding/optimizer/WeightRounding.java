/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.optimizer;

/** Rounding of float16 and bfloat16 weights after a step; float32 weights need none. */
public enum WeightRounding {
  /**
   * Rounds to nearest, ties to even. If a step is below half of the distance to the next value
   * (1/512 to 1/256 of a bfloat16 weight), the weight does not change. Training with small learning
   * rates stalls.
   */
  NEAREST,
  /**
   * Rounds up or down at random, to the nearer value with the higher probability, so that the mean
   * of many steps is right. The random bits depend only on the id of the row, the step and the
   * position in the row: weights have the same bits at every number of partitions.
   */
  STOCHASTIC
}
