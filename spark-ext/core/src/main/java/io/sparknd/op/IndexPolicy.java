/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.op;

import java.io.Serializable;
import java.util.Objects;

/**
 * How index values that are not plainly in bounds are read.
 *
 * @param bad for values out of bounds
 * @param negative for values below zero
 */
public record IndexPolicy(BadIndices bad, NegativeIndices negative) implements Serializable {
  /** Bad and negative indices are errors, as in TensorFlow. */
  public static final IndexPolicy STRICT = new IndexPolicy(BadIndices.ERROR, NegativeIndices.ERROR);

  /** Negative indices count from the end, bad ones are errors, as in ONNX. */
  public static final IndexPolicy WRAPPING =
      new IndexPolicy(BadIndices.ERROR, NegativeIndices.WRAP);

  public IndexPolicy {
    Objects.requireNonNull(bad, "bad");
    Objects.requireNonNull(negative, "negative");
  }
}
