/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.tensor;

import java.io.Serializable;
import java.lang.reflect.Array;
import java.util.Objects;

/**
 * A dense tensor in one primitive array, row-major (the last dimension varies fastest), of at most
 * {@link Storage#MAX_LENGTH} units. A value: nothing that SparkND does changes a tensor, except the
 * operations whose names say so.
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
   * A tensor on top of {@code array}, which is not copied: the caller gives it up.
   *
   * @param array an array of {@code dtype.storage()} with {@code shape.elements() * dtype.units()}
   *     units; bool as 0 and 1, unsigned and half types as their bits
   * @throws SparkNdException if the array is of another storage or length, or has a null string
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

  /** A tensor of zeros, of false, or of empty strings. */
  public static Tensor zeros(DType dtype, Shape shape) {
    return new Tensor(dtype, shape, dtype.storage().allocate(units(dtype, shape)));
  }

  /**
   * A tensor with {@code value} in every element.
   *
   * @param value a {@code Number}, {@code Boolean}, {@link Complex} or {@code String} that {@code
   *     dtype} can hold
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

  /** The units that a local tensor takes, checked against what one array can hold. */
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
   * The array beneath, not a copy: row-major, {@code elements() * dtype().units()} units of {@code
   * dtype().storage()}. Not to be written to.
   */
  public Object array() {
    return array;
  }

  /** The same elements under another shape, sharing the array. */
  public Tensor reshape(Shape other) {
    if (other.elements() != shape.elements()) {
      throw TensorErrors.cannotReshape(shape, other);
    }
    return new Tensor(dtype, other, array);
  }

  /**
   * The same bits as elements of {@code other}, sharing the array: uint16 as bfloat16, or int64 as
   * uint64.
   *
   * @param other a dtype with the same storage and units; not bool, which is only 0 or 1
   */
  public Tensor bitcast(DType other) {
    if (!dtype.canBitcastTo(other)) {
      throw TensorErrors.cannotBitcast(dtype, other);
    }
    return new Tensor(other, shape, array);
  }

  /** A tensor with an array of its own. */
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

  /** Java serialization makes every NaN the same one; integers keep the bits. */
  private Object writeReplace() {
    return new TensorBits(dtype, shape, TensorBits.of(array));
  }

  /** Same dtype, shape and bits, where every NaN equals every other and -0.0 is not 0.0. */
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

  /** Dtype, shape and the first elements, as in {@code int32[8] [0, 11, 0, 10, ...]}. */
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
