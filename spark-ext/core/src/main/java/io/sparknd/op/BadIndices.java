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
   * @param value a {@code Number}, {@code Boolean}, {@link io.sparknd.tensor.Complex} or {@code
   *     String} that the dtype can hold
   */
  static BadIndices fill(Object value) {
    return new Fill(value);
  }

  /**
   * The policy of this name: {@code error}, {@code ignore} or {@code clip}. {@link #fill} has none,
   * as it needs its value.
   *
   * @throws io.sparknd.tensor.SparkNdException if there is none
   */
  static BadIndices named(String name) {
    return OptionNames.<BadIndices>of("bad_indices")
        .and("error", ERROR)
        .and("ignore", IGNORE)
        .and("clip", CLIP)
        .find(name);
  }

  /** See {@link #ERROR}. */
  // read only as BadIndices.Error
  @SuppressWarnings("JavaLangClash")
  record Error() implements BadIndices {
    @Override
    public String toString() {
      return "error";
    }
  }

  /** See {@link #IGNORE}. */
  record Ignore() implements BadIndices {
    @Override
    public String toString() {
      return "ignore";
    }
  }

  /** See {@link #CLIP}. */
  record Clip() implements BadIndices {
    @Override
    public String toString() {
      return "clip";
    }
  }

  /** See {@link #fill}. */
  record Fill(Object value) implements BadIndices {
    @Override
    public String toString() {
      return "fill " + value;
    }
  }
}
