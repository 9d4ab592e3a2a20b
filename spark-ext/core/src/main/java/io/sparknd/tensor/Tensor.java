/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.tensor;

import java.io.Serializable;
import java.lang.reflect.Array;
import java.util.Objects;

/**
 * A dense tensor in one row-major array (the last dimension varies fastest) of at most {@link
 * Storage#MAX_LENGTH} units. SparkND never modifies a tensor, except in operations whose names say
 * so, such as {@code scatterInPlace}.
 */
public final class Tensor implements Serializable {
  private static final long serialVersionUID = 1;

  private final DType dtype;
  private final Shape shape;
  private final Object array;

  private Tensor(DType dtype, Shape shape, Object array) {
    this.dtype = dtype;
    this.shape = shape;
    this.array = array;
  }

  /**
   * Wraps {@code array} without copying it. The caller must not modify it afterwards.
   *
   * @param array an array of {@code dtype.storage()} with {@code shape.elements() * dtype.units()}
   *     units; bool as 0 and 1, unsigned and half types as their bits
   * @throws SparkNdException if the array has another storage or length, or holds a null string
   */
  public static Tensor wrap(DType dtype, Shape shape, Object array) {
    if (!dtype.storage().holds(array)) {
      throw TensorErrors.wrongStorage(dtype, array);
    }
    int units = dtype.storage().length(array);
    if (units != units(dtype, shape)) {
      throw TensorErrors.wrongLength(dtype, shape, units);
    }
    if (array instanceof String[] strings) {
      checkNoNull(strings);
    }
    return new Tensor(dtype, shape, array);
  }

  private static void checkNoNull(String[] strings) {
    for (int i = 0; i < strings.length; i++) {
      if (strings[i] == null) {
        throw TensorErrors.nullString(i);
      }
    }
  }

  /** Returns a tensor of zeros, false or empty strings. */
  public static Tensor zeros(DType dtype, Shape shape) {
    return new Tensor(dtype, shape, dtype.storage().allocate(units(dtype, shape)));
  }

  /**
   * Returns a tensor with {@code value} in every element.
   *
   * @param value a {@code Number}, {@code Boolean}, {@link Complex} or {@code String} that {@code
   *     dtype} can hold. To floating-point dtypes it is rounded, beyond their range to infinity
   */
  public static Tensor fill(DType dtype, Shape shape, Object value) {
    Tensor tensor = zeros(dtype, shape);
    ElementValues.fill(dtype, tensor.array, value);
    return tensor;
  }

  /** A float32 tensor of {@code shape}; the values are copied. */
  public static Tensor of(Shape shape, float... values) {
    return wrap(DType.FLOAT32, shape, values.clone());
  }

  /** A float64 tensor of {@code shape}; the values are copied. */
  public static Tensor of(Shape shape, double... values) {
    return wrap(DType.FLOAT64, shape, values.clone());
  }

  /** An int32 tensor of {@code shape}; the values are copied. */
  public static Tensor of(Shape shape, int... values) {
    return wrap(DType.INT32, shape, values.clone());
  }

  /** An int64 tensor of {@code shape}; the values are copied. */
  public static Tensor of(Shape shape, long... values) {
    return wrap(DType.INT64, shape, values.clone());
  }

  /** A bool tensor of {@code shape}. */
  public static Tensor of(Shape shape, boolean... values) {
    byte[] bits = new byte[values.length];
    for (int i = 0; i < bits.length; i++) {
      bits[i] = (byte) (values[i] ? 1 : 0);
    }
    return wrap(DType.BOOL, shape, bits);
  }

  /** A string tensor of {@code shape}; the values are copied. */
  public static Tensor of(Shape shape, String... values) {
    return wrap(DType.STRING, shape, values.clone());
  }

  /** Returns the number of units, after checking that one array can hold them. */
  static int units(DType dtype, Shape shape) {
    if (shape.elements() > Storage.MAX_LENGTH / dtype.units()) {
      throw TensorErrors.tooLargeForOneArray(dtype, shape);
    }
    return (int) shape.elements() * dtype.units();
  }

  public DType dtype() {
    return dtype;
  }

  public Shape shape() {
    return shape;
  }

  /** The number of elements; it fits an {@code int} by construction. */
  public int elements() {
    return (int) shape.elements();
  }

  /**
   * The underlying array, not a copy: row-major, {@code elements() * dtype().units()} units of
   * {@code dtype().storage()}. Do not modify it.
   */
  public Object array() {
    return array;
  }

  /** Returns a tensor with the same elements and another shape, sharing the array. */
  public Tensor reshape(Shape other) {
    if (other.elements() != shape.elements()) {
      throw TensorErrors.cannotReshape(shape, other);
    }
    return new Tensor(dtype, other, array);
  }

  /**
   * Reinterprets the bits as elements of {@code other}, such as uint16 as bfloat16 or int64 as
   * uint64, sharing the array.
   *
   * @param other a dtype with the same storage and units; bool only from bool, as it is only 0 or 1
   */
  public Tensor bitcast(DType other) {
    if (!dtype.canBitcastTo(other)) {
      throw TensorErrors.cannotBitcast(dtype, other);
    }
    return new Tensor(other, shape, array);
  }

  /** Returns a tensor with its own copy of the array. */
  public Tensor copy() {
    return new Tensor(dtype, shape, dtype.storage().copyOfRange(array, 0, Array.getLength(array)));
  }

  /**
   * The element at row-major position {@code i}: a {@code Boolean}, {@code Long} (integers up to
   * int64 and uint32), {@code BigInteger} (uint64), {@code Float} (half types and float32), {@code
   * Double}, {@link Complex} or {@code String}.
   */
  public Object element(int i) {
    return ElementValues.get(dtype, array, i);
  }

  /** Serializes floats as integers, because Java serialization maps every NaN to one value. */
  private Object writeReplace() {
    return new TensorBits(dtype, shape, TensorBits.of(array));
  }

  /** Whether dtype, shape and elements are equal; all NaNs are equal, and -0.0 is not 0.0. */
  @Override
  public boolean equals(Object other) {
    return other instanceof Tensor that
        && dtype == that.dtype
        && shape.equals(that.shape)
        && ElementValues.equal(dtype, array, that.array);
  }

  @Override
  public int hashCode() {
    return Objects.hash(dtype, shape, ElementValues.hash(dtype, array));
  }

  /** Dtype, shape and at most 16 elements, such as {@code int32[3] [0, 11, 10]}. */
  @Override
  public String toString() {
    int shown = Math.min(elements(), 16);
    StringBuilder text = new StringBuilder().append(dtype).append(shape).append(" [");
    for (int i = 0; i < shown; i++) {
      text.append(i == 0 ? "" : ", ").append(element(i));
    }
    return text.append(shown < elements() ? ", ...]" : "]").toString();
  }
}
