/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.tensor;

import java.lang.reflect.Array;
import java.util.Arrays;

/**
 * The Java array that carries the elements of a {@link DType}. Several dtypes share one storage
 * (uint8 and bool are bytes, float16 is its 16 bits in a short); a complex element takes two units
 * of it, real part first.
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
  private final int bytes;

  Storage(Class<?> unit, int bytes) {
    this.unit = unit;
    this.bytes = bytes;
  }

  /** Bytes of one unit; 0 for strings, whose width varies. */
  public int bytes() {
    return bytes;
  }

  /** A new array of {@code length} units, all zero; empty strings for {@link #STRING}. */
  public Object allocate(int length) {
    Object array = Array.newInstance(unit, length);
    if (array instanceof String[] strings) {
      Arrays.fill(strings, "");
    }
    return array;
  }

  /** A new array of {@code count} arrays of this storage, all null: {@code float[count][]}. */
  public Object[] allocateBlocks(int count) {
    return (Object[]) Array.newInstance(unit.arrayType(), count);
  }

  /** Whether {@code array} is an array of this storage. */
  public boolean holds(Object array) {
    return array != null && array.getClass() == unit.arrayType();
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

  /** A new array with the units {@code [from, to)} of {@code array}. */
  public Object copyOfRange(Object array, int from, int to) {
    Object copy = Array.newInstance(unit, to - from);
    System.arraycopy(array, from, copy, 0, to - from);
    return copy;
  }
}
