/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.op;

import io.sparknd.tensor.DType;
import java.io.Serializable;
import java.util.Objects;

/** What happens to an index that is out of bounds. */
public sealed interface BadIndices extends Serializable {
  /** The call fails and names the lowest bad position in row-major order; the default. */
  BadIndices ERROR = new Error();

  /** A scatter drops the tuple; a gather yields 0, false or "" for it. */
  BadIndices IGNORE = new Ignore();

  /**
   * Each index value is clamped to the bounds of its dimension. An index into a dimension of size 0
   * is an error.
   */
  BadIndices CLIP = new Clip();

  /**
   * A gather yields {@code value} for the tuple; for a scatter this policy is an error.
   *
   * @param value a {@code Number}, {@code Boolean}, {@link io.sparknd.tensor.Complex} or {@code
   *     String} that the dtype can hold; with Datasets also the Java object of a date, a time, an
   *     interval or a binary value
   */
  static BadIndices fill(Object value) {
    return new Fill(value);
  }

  /**
   * Returns the policy of this name: {@code error}, {@code ignore} or {@code clip}. {@link #fill}
   * has no name because it needs a value.
   *
   * @throws io.sparknd.tensor.SparkNdException if the name is unknown
   */
  static BadIndices named(String name) {
    return OptionNames.<BadIndices>of("bad_indices")
        .and("error", ERROR)
        .and("ignore", IGNORE)
        .and("clip", CLIP)
        .find(name);
  }

  /** See {@link #ERROR}. */
  // always written BadIndices.Error, so it is not confused with java.lang.Error
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
    public Fill {
      Objects.requireNonNull(value, "value");
    }

    /** Whether only the dtype of the tensor decides the value, as in {@link Jax.At#get()}. */
    public boolean isOfDType() {
      return value instanceof JaxFill;
    }

    /** Returns the value for a tensor of {@code dtype}. */
    public Object value(DType dtype) {
      return value instanceof JaxFill fill ? fill.value(dtype) : value;
    }

    @Override
    public String toString() {
      return "fill " + value;
    }
  }
}
