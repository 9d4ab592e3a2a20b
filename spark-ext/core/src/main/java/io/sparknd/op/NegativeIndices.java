/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.op;

/** What a negative index means. */
public enum NegativeIndices {
  /**
   * An error, whatever {@link BadIndices} says. TensorFlow has no negative indices. The default but
   * with {@link BadIndices#IGNORE}, which drops negative indices too.
   */
  ERROR,
  /** Counts from the end, once, as in ONNX, NumPy, PyTorch; out of bounds below {@code -dim}. */
  WRAP,
  /** Out of bounds, so that {@link BadIndices} applies, as in JAX without wrapping. */
  OUT_OF_BOUNDS;

  /**
   * Returns the policy of this name: {@code error}, {@code wrap} or {@code oob}.
   *
   * @throws io.sparknd.tensor.SparkNdException if the name is unknown
   */
  public static NegativeIndices named(String name) {
    return OptionNames.<NegativeIndices>of("negative")
        .and("error", ERROR)
        .and("wrap", WRAP)
        .and("oob", OUT_OF_BOUNDS)
        .find(name);
  }
}
