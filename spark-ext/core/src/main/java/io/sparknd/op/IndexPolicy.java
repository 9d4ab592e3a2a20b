/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.op;

import java.io.Serializable;
import java.util.Objects;

/**
 * How out-of-bounds and negative index values are treated.
 *
 * @param bad for values out of bounds
 * @param negative for values below zero
 * @param remedy what the message for a rejected value recommends
 */
public record IndexPolicy(BadIndices bad, NegativeIndices negative, PolicyRemedy remedy)
    implements Serializable {
  /** Out-of-bounds and negative indices are errors, as in TensorFlow. */
  public static final IndexPolicy STRICT = new IndexPolicy(BadIndices.ERROR, NegativeIndices.ERROR);

  /** Negative indices count from the end and out-of-bounds ones are errors, as in ONNX. */
  public static final IndexPolicy WRAPPING =
      new IndexPolicy(BadIndices.ERROR, NegativeIndices.WRAP);

  public IndexPolicy {
    Objects.requireNonNull(bad, "bad");
    Objects.requireNonNull(negative, "negative");
    Objects.requireNonNull(remedy, "remedy");
  }

  /** Messages recommend the options. */
  public IndexPolicy(BadIndices bad, NegativeIndices negative) {
    this(bad, negative, PolicyRemedy.OPTIONS);
  }

  /** Returns the same policy with other recommendations. */
  public IndexPolicy withRemedy(PolicyRemedy other) {
    return new IndexPolicy(bad, negative, other);
  }

  /**
   * Returns this policy with another one for values out of bounds. With {@link BadIndices#IGNORE},
   * negative values that are errors become out of bounds too, as in TensorFlow; those that wrap
   * still wrap.
   */
  public IndexPolicy withBad(BadIndices other) {
    boolean dropped = other instanceof BadIndices.Ignore && negative == NegativeIndices.ERROR;
    return new IndexPolicy(other, dropped ? NegativeIndices.OUT_OF_BOUNDS : negative, remedy);
  }
}
