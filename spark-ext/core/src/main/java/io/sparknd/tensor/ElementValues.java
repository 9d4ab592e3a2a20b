/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.tensor;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Arrays;

/** Reads, fills and compares elements as Java values; not for hot loops. */
final class ElementValues {
  /** Decimal digits of the largest uint64. */
  private static final int MAX_DIGITS = 20;

  private static final BigInteger TWO_64 = BigInteger.ONE.shiftLeft(64);

  private ElementValues() {}

  static Object get(DType dtype, Object array, int i) {
    return switch (dtype) {
      case BOOL -> ((byte[]) array)[i] != 0;
      case INT8 -> (long) ((byte[]) array)[i];
      case UINT8 -> (long) Byte.toUnsignedInt(((byte[]) array)[i]);
      case INT16 -> (long) ((short[]) array)[i];
      case UINT16 -> (long) Short.toUnsignedInt(((short[]) array)[i]);
      case INT32 -> (long) ((int[]) array)[i];
      case UINT32 -> Integer.toUnsignedLong(((int[]) array)[i]);
      case INT64 -> ((long[]) array)[i];
      case UINT64 -> unsigned(((long[]) array)[i]);
      case FLOAT16 -> HalfFloats.fromFloat16(((short[]) array)[i]);
      case BFLOAT16 -> HalfFloats.fromBfloat16(((short[]) array)[i]);
      case FLOAT32 -> ((float[]) array)[i];
      case FLOAT64 -> ((double[]) array)[i];
      case COMPLEX64 -> new Complex(((float[]) array)[2 * i], ((float[]) array)[2 * i + 1]);
      case COMPLEX128 -> new Complex(((double[]) array)[2 * i], ((double[]) array)[2 * i + 1]);
      case STRING -> ((String[]) array)[i];
    };
  }

  /** Fills {@code array} with {@code value} after checking that {@code dtype} can hold it. */
  static void fill(DType dtype, Object array, Object value) {
    switch (dtype.storage()) {
      case BYTE -> Arrays.fill((byte[]) array, (byte) bits(dtype, value));
      case SHORT -> Arrays.fill((short[]) array, (short) bits(dtype, value));
      case INT -> Arrays.fill((int[]) array, (int) bits(dtype, value));
      case LONG -> Arrays.fill((long[]) array, bits(dtype, value));
      case FLOAT -> fillFloats(dtype, (float[]) array, value);
      case DOUBLE -> fillDoubles(dtype, (double[]) array, value);
      case STRING -> Arrays.fill((String[]) array, string(value));
    }
  }

  private static void fillFloats(DType dtype, float[] array, Object value) {
    if (dtype != DType.COMPLEX64) {
      Arrays.fill(array, number(dtype, value).floatValue());
      return;
    }
    Complex complex = complex(dtype, value);
    // rounded once, as float32 is
    float real = value instanceof Number number ? number.floatValue() : (float) complex.real();
    for (int i = 0; i < array.length; i += 2) {
      array[i] = real;
      array[i + 1] = (float) complex.imaginary();
    }
  }

  private static void fillDoubles(DType dtype, double[] array, Object value) {
    if (dtype != DType.COMPLEX128) {
      Arrays.fill(array, number(dtype, value).doubleValue());
      return;
    }
    Complex complex = complex(dtype, value);
    for (int i = 0; i < array.length; i += 2) {
      array[i] = complex.real();
      array[i + 1] = complex.imaginary();
    }
  }

  /** Returns the bits of {@code value} in a dtype whose storage is an integer array. */
  private static long bits(DType dtype, Object value) {
    return switch (dtype.kind()) {
      case BOOL -> bool(dtype, value) ? 1 : 0;
      case FLOAT -> {
        float narrowed = roundedToOdd(number(dtype, value));
        yield dtype == DType.FLOAT16
            ? HalfFloats.toFloat16(narrowed)
            : HalfFloats.toBfloat16(narrowed);
      }
      default -> integer(dtype, value);
    };
  }

  private static float roundedToOdd(Number number) {
    if (number instanceof BigDecimal decimal) {
      return HalfFloats.roundToOdd(decimal);
    }
    if (number instanceof BigInteger || number instanceof Long) {
      return HalfFloats.roundToOdd(new BigDecimal(number.toString()));
    }
    return HalfFloats.roundToOdd(number.doubleValue());
  }

  private static long integer(DType dtype, Object value) {
    BigInteger exact = exact(dtype, number(dtype, value));
    boolean signed = dtype.kind() == DType.Kind.SIGNED;
    int valueBits = dtype.bytes() * 8 - (signed ? 1 : 0);
    boolean fits = exact.bitLength() <= valueBits && (signed || exact.signum() >= 0);
    if (!fits) {
      throw TensorErrors.valueDoesNotFit(value, dtype);
    }
    return exact.longValue();
  }

  private static BigInteger exact(DType dtype, Number number) {
    if (number instanceof BigInteger big) {
      return big;
    }
    boolean mayBeFraction =
        number instanceof Double || number instanceof Float || number instanceof BigDecimal;
    if (!mayBeFraction) {
      return BigInteger.valueOf(number.longValue());
    }
    try {
      BigDecimal decimal =
          number instanceof BigDecimal given ? given : new BigDecimal(number.doubleValue());
      return exact(decimal);
    } catch (ArithmeticException | NumberFormatException notAnInteger) {
      throw TensorErrors.valueDoesNotFit(number, dtype);
    }
  }

  /** Checks the number of digits first: an exponent may stand for millions of them. */
  private static BigInteger exact(BigDecimal decimal) {
    if (decimal.signum() == 0) {
      return BigInteger.ZERO;
    }
    long wholeDigits = (long) decimal.precision() - decimal.scale();
    if (wholeDigits < 1 || wholeDigits > MAX_DIGITS) {
      throw new ArithmeticException("not an integer of at most " + MAX_DIGITS + " digits");
    }
    return decimal.toBigIntegerExact();
  }

  private static boolean bool(DType dtype, Object value) {
    if (value instanceof Boolean bool) {
      return bool;
    }
    double number = number(dtype, value).doubleValue();
    if (number != 0 && number != 1) {
      throw TensorErrors.valueDoesNotFit(value, dtype);
    }
    return number == 1;
  }

  private static Complex complex(DType dtype, Object value) {
    return value instanceof Complex complex
        ? complex
        : new Complex(number(dtype, value).doubleValue(), 0);
  }

  private static Number number(DType dtype, Object value) {
    if (value instanceof Number number) {
      return number;
    }
    throw TensorErrors.valueDoesNotFit(value, dtype);
  }

  private static String string(Object value) {
    if (value instanceof String string) {
      return string;
    }
    throw TensorErrors.valueDoesNotFit(value, DType.STRING);
  }

  /** Whether two arrays of equal length hold the same elements; all NaNs are equal. */
  static boolean equal(DType dtype, Object left, Object right) {
    if (Arrays.deepEquals(new Object[] {left}, new Object[] {right})) {
      return true;
    }
    if (!HalfFloats.isHalf(dtype)) {
      return false;
    }
    short[] ours = (short[]) left;
    short[] theirs = (short[]) right;
    for (int i = 0; i < ours.length; i++) {
      if (ours[i] != theirs[i] && canonical(dtype, ours[i]) != canonical(dtype, theirs[i])) {
        return false;
      }
    }
    return true;
  }

  static int hash(DType dtype, Object array) {
    if (!HalfFloats.isHalf(dtype)) {
      return Arrays.deepHashCode(new Object[] {array});
    }
    int hash = 1;
    for (short half : (short[]) array) {
      hash = 31 * hash + canonical(dtype, half);
    }
    return hash;
  }

  /** Returns the bits of {@code half}, with every NaN mapped to the same bits. */
  private static int canonical(DType dtype, short half) {
    int infinity = dtype == DType.FLOAT16 ? 0x7c00 : 0x7f80;
    return (half & 0x7fff) > infinity ? infinity + 1 : half;
  }

  private static BigInteger unsigned(long bits) {
    BigInteger value = BigInteger.valueOf(bits);
    return bits < 0 ? value.add(TWO_64) : value;
  }
}
