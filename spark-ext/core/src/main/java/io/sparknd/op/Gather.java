/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.op;

import java.io.Serializable;
import java.util.Objects;

/**
 * How a gather reads its indices.
 *
 * @param indices how doubtful index values are read
 */
public record Gather(IndexPolicy indices) implements Serializable {

  public Gather {
    Objects.requireNonNull(indices, "indices");
  }

  /** Bad and negative indices are errors, as TensorFlow's {@code gather_nd}. */
  public static Gather strict() {
    return new Gather(IndexPolicy.STRICT);
  }

  public Gather withBadIndices(BadIndices bad) {
    return new Gather(new IndexPolicy(bad, indices.negative()));
  }

  public Gather withNegativeIndices(NegativeIndices negative) {
    return new Gather(new IndexPolicy(indices.bad(), negative));
  }
}
