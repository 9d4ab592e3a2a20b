/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.op;

import java.io.Serializable;
import java.util.Objects;

/**
 * The options of a gather.
 *
 * @param indices how out-of-bounds and negative index values are treated
 */
public record Gather(IndexPolicy indices) implements Serializable {

  public Gather {
    Objects.requireNonNull(indices, "indices");
  }

  /** Out-of-bounds and negative indices are errors, as in TensorFlow's {@code gather_nd}. */
  public static Gather strict() {
    return new Gather(IndexPolicy.STRICT);
  }

  /**
   * Sets the policy for indices out of bounds. {@link BadIndices#IGNORE} takes negative indices as
   * out of bounds too, unless they wrap or {@link #withNegativeIndices} makes them errors
   * afterwards.
   */
  public Gather withBadIndices(BadIndices bad) {
    return new Gather(indices.withBad(bad));
  }

  public Gather withNegativeIndices(NegativeIndices negative) {
    return new Gather(new IndexPolicy(indices.bad(), negative));
  }
}
