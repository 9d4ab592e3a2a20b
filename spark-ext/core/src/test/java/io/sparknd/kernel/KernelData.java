/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.kernel;

import io.sparknd.tensor.DType;
import io.sparknd.tensor.HalfFloats;
import io.sparknd.tensor.Storage;
import java.lang.reflect.Array;
import java.util.Random;

/** Random arrays that include special values of their dtype. */
public final class KernelData {
  private static final long[] INTEGERS = {
    0,
    1,
    -1,
    2,
    0x7f,
    0x80,
    0xff,
    0x7fff,
    0x8000,
    0xffff,
    0x7fff_ffffL,
    0x8000_0000L,
    0xffff_ffffL,
    Long.MAX_VALUE,
    Long.MIN_VALUE
  };
  private static final double[] REALS = {
    0.0,
    -0.0,
    1,
    -1,
    0.1,
    Double.POSITIVE_INFINITY,
    Double.NEGATIVE_INFINITY,
    Double.NaN,
    Double.MIN_VALUE,
    -Double.MIN_VALUE,
    Double.MAX_VALUE,
    0x1p-140,
    -0x1p-140,
    0x1p-24,
    65504,
    65520,
    0x1.fffffep127,
    -0x1.fffffep127,
    16777217
  };
  private static final long SIGNALLING_DOUBLE = 0x7ff0_0000_0000_0001L;
  private static final int SIGNALLING_FLOAT = 0x7f80_0001;
  private static final String[] STRINGS = {"", "a", "ab", "bc", "\u00e9", "\ue000", "\ud83d\ude00"};

  private KernelData() {}

  /**
   * Returns an array of {@code length} units; a third of the numbers are special values of {@code
   * dtype}.
   */
  public static Object random(DType dtype, int length, Random random) {
    Object array = dtype.storage().allocate(length);
    for (int i = 0; i < length; i++) {
      set(dtype, array, i, random);
    }
    return array;
  }

  private static void set(DType dtype, Object array, int i, Random random) {
    switch (dtype.kind()) {
      case BOOL -> ((byte[]) array)[i] = (byte) random.nextInt(2);
      case SIGNED, UNSIGNED -> setBits(array, i, integer(random));
      case FLOAT, COMPLEX -> setReal(dtype, array, i, random);
      case STRING -> ((String[]) array)[i] = STRINGS[random.nextInt(STRINGS.length)];
    }
  }

  private static long integer(Random random) {
    return random.nextInt(3) == 0 ? INTEGERS[random.nextInt(INTEGERS.length)] : random.nextLong();
  }

  /**
   * Sets a unit to a normal number, a special value or random bits, each with probability 1/3.
   * Random bits include NaNs with payloads.
   */
  private static void setReal(DType dtype, Object array, int i, Random random) {
    switch (random.nextInt(3)) {
      case 0 -> write(dtype, array, i, random.nextGaussian() * 100);
      case 1 -> write(dtype, array, i, REALS[random.nextInt(REALS.length)]);
      default -> setBits(array, i, random.nextInt(8) == 0 ? signalling(array) : random.nextLong());
    }
  }

  private static long signalling(Object array) {
    return array instanceof double[]
        ? SIGNALLING_DOUBLE
        : array instanceof float[] ? SIGNALLING_FLOAT : 0x7f81;
  }

  private static void write(DType dtype, Object array, int i, double value) {
    switch (dtype) {
      case FLOAT16 -> ((short[]) array)[i] = HalfFloats.toFloat16((float) value);
      case BFLOAT16 -> ((short[]) array)[i] = HalfFloats.toBfloat16((float) value);
      case FLOAT32, COMPLEX64 -> ((float[]) array)[i] = (float) value;
      default -> ((double[]) array)[i] = value;
    }
  }

  private static void setBits(Object array, int i, long bits) {
    if (array instanceof byte[] bytes) {
      bytes[i] = (byte) bits;
    } else if (array instanceof short[] shorts) {
      shorts[i] = (short) bits;
    } else if (array instanceof int[] ints) {
      ints[i] = (int) bits;
    } else if (array instanceof long[] longs) {
      longs[i] = bits;
    } else if (array instanceof float[] floats) {
      floats[i] = Float.intBitsToFloat((int) bits);
    } else {
      ((double[]) array)[i] = Double.longBitsToDouble(bits);
    }
  }

  /**
   * Returns a unit as a value whose {@code equals} compares bits. If {@code anyNan}, all NaNs are
   * equal.
   */
  static Object bits(DType dtype, Object array, int i, boolean anyNan) {
    if (anyNan && isNan(dtype, array, i)) {
      return "NaN";
    }
    if (array instanceof float[] floats) {
      return Float.floatToRawIntBits(floats[i]);
    }
    if (array instanceof double[] doubles) {
      return Double.doubleToRawLongBits(doubles[i]);
    }
    return Array.get(array, i);
  }

  private static boolean isNan(DType dtype, Object array, int i) {
    boolean real = dtype.kind() == DType.Kind.FLOAT || dtype.kind() == DType.Kind.COMPLEX;
    return real && Double.isNaN(KernelOracle.readReal(dtype, array, i));
  }

  static Object copy(Storage storage, Object array) {
    return storage.copyOfRange(array, 0, storage.length(array));
  }
}
