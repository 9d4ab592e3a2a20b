/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.op;

/** What a negative index means. */
public enum NegativeIndices {
  /** Refused, whatever {@link BadIndices} says. TensorFlow has no negative indices. */
  ERROR,
  /** Counts from the end, once, as ONNX, NumPy and PyTorch do; below {@code -dim} it is bad. */
  WRAP,
  /** Out of bounds, so {@link BadIndices} decides, as in JAX without wrapping. */
  OUT_OF_BOUNDS
}
