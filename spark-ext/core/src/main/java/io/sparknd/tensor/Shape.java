/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.tensor;

import java.io.Serializable;
import java.util.Arrays;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/**
 * The dimensions of a tensor, outermost first. Immutable. The number of elements always fits a
 * {@code long}.
 */
public final class Shape implements Serializable {
  private static final long serialVersionUID = 1;
  private static final Shape SCALAR = new Shape(new long[0], 1);

  private final long[] dims;
  private final long elements;

  private Shape(long[] dims, long elements) {
    this.dims = dims;
    this.elements = elements;
  }

  /**
   * Returns the shape with these dimensions; none for a scalar.
   *
   * @throws SparkNdException if a dimension is negative or the number of elements exceeds 2^63 - 1
   */
  public static Shape of(long... dims) {
    if (dims.length == 0) {
      return SCALAR;
    }
    long[] own = dims.clone();
    return new Shape(own, count(own));
  }

  private static long count(long[] dims) {
    boolean empty = false;
    for (long dim : dims) {
      if (dim < 0) {
        throw TensorErrors.negativeDimension(dims);
      }
      empty |= dim == 0;
    }
    if (empty) {
      return 0;
    }
    long product = 1;
    for (long dim : dims) {
      if (Math.multiplyHigh(product, dim) != 0 || product * dim < 0) {
        throw TensorErrors.tooManyElements(dims);
      }
      product *= dim;
    }
    return product;
  }

  /**
   * Parses a shape such as {@code 8,64}, with or without brackets; {@code []} and blank text are a
   * scalar's shape.
   *
   * @throws SparkNdException if the text is not a shape
   */
  public static Shape parse(String text) {
    String dims = text.strip();
    if (dims.matches("\\[.*\\]|\\(.*\\)")) {
      dims = dims.substring(1, dims.length() - 1).strip();
      // as Python writes a tuple of one
      dims = dims.length() > 1 && dims.endsWith(",") ? dims.substring(0, dims.length() - 1) : dims;
    }
    if (dims.isEmpty()) {
      return Shape.of();
    }
    try {
      return Shape.of(
          Arrays.stream(dims.split(",", -1))
              .map(String::strip)
              .mapToLong(Long::parseLong)
              .toArray());
    } catch (NumberFormatException e) {
      throw TensorErrors.notAShape(text);
    }
  }

  public int rank() {
    return dims.length;
  }

  /** The size of dimension {@code axis}, {@code 0 <= axis < rank()}. */
  public long dim(int axis) {
    return dims[axis];
  }

  /** All dimensions, in a new array. */
  public long[] dims() {
    return dims.clone();
  }

  /** The number of elements: 1 for a scalar. */
  public long elements() {
    return elements;
  }

  /** The first {@code k} dimensions, {@code shape[:k]}, {@code 0 <= k <= rank()}. */
  public Shape first(int k) {
    return of(Arrays.copyOf(dims, Objects.checkIndex(k, dims.length + 1)));
  }

  /** The dimensions from {@code k} on, {@code shape[k:]}, {@code 0 <= k <= rank()}. */
  public Shape from(int k) {
    return of(Arrays.copyOfRange(dims, Objects.checkIndex(k, dims.length + 1), dims.length));
  }

  /** This shape's dimensions followed by those of {@code inner}. */
  public Shape concat(Shape inner) {
    return of(LongStream.concat(LongStream.of(dims), LongStream.of(inner.dims)).toArray());
  }

  /** The coordinates of the element at row-major {@code position}. */
  public long[] coordinates(long position) {
    long[] at = new long[dims.length];
    long rest = position;
    for (int axis = dims.length - 1; axis >= 0; axis--) {
      at[axis] = rest % dims[axis];
      rest /= dims[axis];
    }
    return at;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Shape that && Arrays.equals(dims, that.dims);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(dims);
  }

  /** The dimensions in brackets, as TensorFlow prints them: {@code [6, 3]}. */
  @Override
  public String toString() {
    return show(dims);
  }

  static String show(long[] values) {
    return LongStream.of(values)
        .mapToObj(Long::toString)
        .collect(Collectors.joining(", ", "[", "]"));
  }
}
