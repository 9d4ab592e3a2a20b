/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.tensor;

import java.io.Serializable;

/**
 * The serialized form of a {@link Tensor}, with floating-point arrays stored as integers of their
 * bits.
 */
final class TensorBits implements Serializable {
  private static final long serialVersionUID = 1;

  private final DType dtype;
  private final Shape shape;
  private final Object bits;

  TensorBits(DType dtype, Shape shape, Object bits) {
    this.dtype = dtype;
    this.shape = shape;
    this.bits = bits;
  }

  /** Returns {@code array} itself, or the bits of a float or double array in a new array. */
  static Object of(Object array) {
    if (array instanceof float[] floats) {
      int[] bits = new int[floats.length];
      for (int i = 0; i < bits.length; i++) {
        bits[i] = Float.floatToRawIntBits(floats[i]);
      }
      return bits;
    }
    if (array instanceof double[] doubles) {
      long[] bits = new long[doubles.length];
      for (int i = 0; i < bits.length; i++) {
        bits[i] = Double.doubleToRawLongBits(doubles[i]);
      }
      return bits;
    }
    return array;
  }

  private Object readResolve() {
    return Tensor.wrap(dtype, shape, array());
  }

  private Object array() {
    if (dtype.storage() == Storage.FLOAT) {
      int[] integers = (int[]) bits;
      float[] floats = new float[integers.length];
      for (int i = 0; i < floats.length; i++) {
        floats[i] = Float.intBitsToFloat(integers[i]);
      }
      return floats;
    }
    if (dtype.storage() == Storage.DOUBLE) {
      long[] integers = (long[]) bits;
      double[] doubles = new double[integers.length];
      for (int i = 0; i < doubles.length; i++) {
        doubles[i] = Double.longBitsToDouble(integers[i]);
      }
      return doubles;
    }
    return bits;
  }
}
