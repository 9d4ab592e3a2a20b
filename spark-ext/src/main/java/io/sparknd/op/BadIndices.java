/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.op;

import java.io.Serializable;

/** What happens to an index that is out of bounds. */
public sealed interface BadIndices extends Serializable {
  /** The call fails and names the lowest bad position in row-major order; the default. */
  BadIndices ERROR = new Error();

  /** A scatter drops the tuple; a gather yields 0, false or "" for it. */
  BadIndices IGNORE = new Ignore();

  /** The index moves to the nearest one in bounds, each dimension on its own. */
  BadIndices CLIP = new Clip();

  /**
   * A gather yields {@code value} for the tuple; a scatter refuses this policy.
   *
   * @param value a {@code Number}, {@code Boolean} or {@code String} that the dtype can hold
   */
  static BadIndices fill(Object value) {
    return new Fill(value);
  }

  /** See {@link #ERROR}. */
  record Error() implements BadIndices {}

  /** See {@link #IGNORE}. */
  record Ignore() implements BadIndices {}

  /** See {@link #CLIP}. */
  record Clip() implements BadIndices {}

  /** See {@link #fill}. */
  record Fill(Object value) implements BadIndices {}
}
