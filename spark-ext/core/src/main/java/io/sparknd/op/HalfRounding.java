/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.op;

/**
 * When the arithmetic reductions of float16 and bfloat16 round; {@link Reduction#MEAN} does so
 * once.
 */
public enum HalfRounding {
  /** Each step is rounded to the dtype, as in NumPy and TensorFlow; the default. */
  EACH_STEP,
  /** Element and updates are folded in float32, and the result is rounded, as on PyTorch's CPU. */
  ONCE
}
