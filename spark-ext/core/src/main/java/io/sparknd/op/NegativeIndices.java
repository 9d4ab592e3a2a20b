/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.op;

/** What a negative index means. */
public enum NegativeIndices {
  /** Refused, whatever {@link BadIndices} says. TensorFlow has no negative indices. */
  ERROR,
  /** Counts from the end, once, as ONNX, NumPy and PyTorch do; below {@code -dim} it is bad. */
  WRAP,
  /** Out of bounds, so {@link BadIndices} decides, as in JAX without wrapping. */
  OUT_OF_BOUNDS;

  /**
   * The policy of this name: {@code error}, {@code wrap} or {@code oob}.
   *
   * @throws io.sparknd.tensor.SparkNdException if there is none
   */
  public static NegativeIndices named(String name) {
    return OptionNames.<NegativeIndices>of("negative")
        .and("error", ERROR)
        .and("wrap", WRAP)
        .and("oob", OUT_OF_BOUNDS)
        .find(name);
  }
}
