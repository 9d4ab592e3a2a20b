/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.tensor;

import java.lang.reflect.Array;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * The type of Java array that holds the elements of a {@link DType}. Several dtypes share one
 * storage (uint8 and bool are bytes, float16 is its 16 bits in a short). A complex element takes
 * two units, real part first.
 */
public enum Storage {
  BYTE(byte.class, 1),
  SHORT(short.class, 2),
  INT(int.class, 4),
  LONG(long.class, 8),
  FLOAT(float.class, 4),
  DOUBLE(double.class, 8),
  STRING(String.class, 0);

  /** The longest array that every JVM can allocate. */
  public static final int MAX_LENGTH = Integer.MAX_VALUE - 8;

  private final Class<?> unit;

  /** Cached, because {@link Class#arrayType} creates an array to find it. */
  private final Class<?> array;

  private final int bytes;

  Storage(Class<?> unit, int bytes) {
    this.unit = unit;
    this.array = unit.arrayType();
    this.bytes = bytes;
  }

  /** Bytes of one unit; 0 for strings, whose width varies. */
  public int bytes() {
    return bytes;
  }

  /** Returns a new array of {@code length} zeros, or empty strings for {@link #STRING}. */
  public Object allocate(int length) {
    // explicit types, because the JIT compiles allocations of a known array class best
    return switch (this) {
      case BYTE -> new byte[length];
      case SHORT -> new short[length];
      case INT -> new int[length];
      case LONG -> new long[length];
      case FLOAT -> new float[length];
      case DOUBLE -> new double[length];
      case STRING -> emptyStrings(length);
    };
  }

  private static String[] emptyStrings(int length) {
    String[] strings = new String[length];
    Arrays.fill(strings, "");
    return strings;
  }

  /** Returns a new array of {@code count} null arrays, such as {@code float[count][]}. */
  public Object[] allocateBlocks(int count) {
    return (Object[]) Array.newInstance(array, count);
  }

  /** Whether {@code array} is an array of this storage. */
  public boolean holds(Object array) {
    return array != null && array.getClass() == this.array;
  }

  /** The length in units of an array of this storage. */
  public int length(Object array) {
    return Array.getLength(array);
  }

  /** The Java type of a unit, such as {@code short}. */
  @Override
  public String toString() {
    return unit.getSimpleName();
  }

  /** Returns a new array with the units {@code [from, to)} of {@code array}. */
  public Object copyOfRange(Object array, int from, int to) {
    Object copy = Array.newInstance(unit, to - from);
    System.arraycopy(array, from, copy, 0, to - from);
    return copy;
  }

  /**
   * Writes the units {@code [from, from + units)} of {@code array} at the position of {@code
   * target}, in its byte order, bit for bit. The position does not change.
   *
   * @throws IllegalArgumentException for {@link #STRING}, whose width varies
   */
  public void put(Object array, int from, int units, ByteBuffer target) {
    switch (this) {
      case BYTE -> target.duplicate().put((byte[]) array, from, units);
      case SHORT -> target.asShortBuffer().put((short[]) array, from, units);
      case INT -> target.asIntBuffer().put((int[]) array, from, units);
      case LONG -> target.asLongBuffer().put((long[]) array, from, units);
      case FLOAT -> target.asFloatBuffer().put((float[]) array, from, units);
      case DOUBLE -> target.asDoubleBuffer().put((double[]) array, from, units);
      case STRING -> throw new IllegalArgumentException("strings have no fixed width");
    }
  }

  /**
   * Reads units at the position of {@code source}, in its byte order, into the units {@code [to, to
   * + units)} of {@code array}, bit for bit. The position does not change.
   *
   * @throws IllegalArgumentException for {@link #STRING}, whose width varies
   */
  public void get(ByteBuffer source, Object array, int to, int units) {
    switch (this) {
      case BYTE -> source.duplicate().get((byte[]) array, to, units);
      case SHORT -> source.asShortBuffer().get((short[]) array, to, units);
      case INT -> source.asIntBuffer().get((int[]) array, to, units);
      case LONG -> source.asLongBuffer().get((long[]) array, to, units);
      case FLOAT -> source.asFloatBuffer().get((float[]) array, to, units);
      case DOUBLE -> source.asDoubleBuffer().get((double[]) array, to, units);
      case STRING -> throw new IllegalArgumentException("strings have no fixed width");
    }
  }
}
