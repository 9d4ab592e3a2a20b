/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.oracle;

import io.sparknd.op.Reduction;
import io.sparknd.tensor.Complex;
import io.sparknd.tensor.DType;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** One step of a reduction on boxed elements, as {@code Tensor.element} returns them. */
final class NaiveArithmetic {
  private NaiveArithmetic() {}

  /** Returns {@code element reduction update}; for a mean, the sum. */
  static Object apply(DType dtype, Reduction reduction, Object element, Object update) {
    return switch (dtype.kind()) {
      case BOOL -> bool(reduction, (Boolean) element, (Boolean) update);
      case SIGNED, UNSIGNED -> wrapped(dtype, integer(reduction, big(element), big(update)));
      case FLOAT -> floating(dtype, reduction, element, update);
      case COMPLEX -> new Parts(dtype).apply(reduction, (Complex) element, (Complex) update);
      case STRING -> text(reduction, (String) element, (String) update);
    };
  }

  /** Returns {@code sum / count}; integer division rounds toward negative infinity. */
  static Object mean(DType dtype, Object sum, long count) {
    if (dtype.isInteger()) {
      BigInteger[] parts = big(sum).divideAndRemainder(BigInteger.valueOf(count));
      boolean down = parts[1].signum() < 0;
      return wrapped(dtype, down ? parts[0].subtract(BigInteger.ONE) : parts[0]);
    }
    if (sum instanceof Complex complex) {
      Parts parts = new Parts(dtype);
      return new Complex(
          parts.round(complex.real() / count), parts.round(complex.imaginary() / count));
    }
    return sum instanceof Double wide ? wide / count : narrow(dtype, (Float) sum / count);
  }

  static BigInteger big(Object integer) {
    return new BigInteger(integer.toString());
  }

  private static Object bool(Reduction reduction, boolean a, boolean b) {
    return switch (reduction) {
      case ADD, MAX, FMAX -> a || b;
      case MUL, MIN, FMIN -> a && b;
      default -> b;
    };
  }

  private static String text(Reduction reduction, String a, String b) {
    int order =
        Arrays.compareUnsigned(
            a.getBytes(StandardCharsets.UTF_8), b.getBytes(StandardCharsets.UTF_8));
    return switch (reduction) {
      case ADD -> a + b;
      case MIN, FMIN -> order < 0 ? a : b;
      case MAX, FMAX -> order > 0 ? a : b;
      default -> b;
    };
  }

  private static BigInteger integer(Reduction reduction, BigInteger a, BigInteger b) {
    return switch (reduction) {
      case ADD, MEAN -> a.add(b);
      case SUB -> a.subtract(b);
      case MUL -> a.multiply(b);
      case MIN, FMIN -> a.min(b);
      case MAX, FMAX -> a.max(b);
      default -> b;
    };
  }

  /** Returns the value of the dtype that is congruent modulo 2 to the power of its width. */
  private static Object wrapped(DType dtype, BigInteger exact) {
    int bits = dtype.bytes() * 8;
    BigInteger value = exact.mod(BigInteger.ONE.shiftLeft(bits));
    if (dtype.kind() == DType.Kind.SIGNED && value.testBit(bits - 1)) {
      value = value.subtract(BigInteger.ONE.shiftLeft(bits));
    }
    if (dtype == DType.UINT64) {
      return value;
    }
    return value.longValueExact();
  }

  private static Object floating(DType dtype, Reduction reduction, Object a, Object b) {
    if (dtype == DType.FLOAT64) {
      return doubles(reduction, (Double) a, (Double) b);
    }
    return narrow(dtype, floats(reduction, (Float) a, (Float) b));
  }

  private static double doubles(Reduction reduction, double a, double b) {
    return switch (reduction) {
      case ADD, MEAN -> a + b;
      case SUB -> a - b;
      case MUL -> a * b;
      case DIV -> a / b;
      case FMIN, FMAX, MIN, MAX -> extreme(reduction, a, b);
      default -> b;
    };
  }

  private static float floats(Reduction reduction, float a, float b) {
    return switch (reduction) {
      case ADD, MEAN -> a + b;
      case SUB -> a - b;
      case MUL -> a * b;
      case DIV -> a / b;
      case FMIN, FMAX, MIN, MAX -> (float) extreme(reduction, a, b);
      default -> b;
    };
  }

  /** Returns the smaller or larger number; -0.0 is below 0.0. */
  private static double extreme(Reduction reduction, double a, double b) {
    boolean quiet = reduction == Reduction.FMIN || reduction == Reduction.FMAX;
    boolean smaller = reduction == Reduction.FMIN || reduction == Reduction.MIN;
    if (Double.isNaN(a)) {
      return quiet ? b : a;
    }
    if (Double.isNaN(b)) {
      return quiet ? a : b;
    }
    return Double.compare(a, b) < 0 == smaller ? a : b;
  }

  /** Rounds a float32 result to its dtype, ties to even. */
  private static float narrow(DType dtype, float value) {
    return switch (dtype) {
      case FLOAT16 -> Half.FLOAT16.round(value);
      case BFLOAT16 -> Half.BFLOAT16.round(value);
      default -> value;
    };
  }

  /**
   * Complex arithmetic that rounds the parts after each operation. For complex64, a double
   * operation rounded to float equals the float operation (Figueroa, "When is double rounding
   * innocuous?").
   */
  private record Parts(DType dtype) {
    double round(double exact) {
      return dtype == DType.COMPLEX64 ? (float) exact : exact;
    }

    Complex apply(Reduction reduction, Complex x, Complex y) {
      return switch (reduction) {
        case ADD, MEAN ->
            new Complex(round(x.real() + y.real()), round(x.imaginary() + y.imaginary()));
        case SUB -> new Complex(round(x.real() - y.real()), round(x.imaginary() - y.imaginary()));
        case MUL -> times(x, y);
        case DIV -> over(x, y);
        default -> y;
      };
    }

    private Complex times(Complex x, Complex y) {
      double ac = round(x.real() * y.real());
      double bd = round(x.imaginary() * y.imaginary());
      double ad = round(x.real() * y.imaginary());
      double bc = round(x.imaginary() * y.real());
      return new Complex(round(ac - bd), round(ad + bc));
    }

    /** Smith's division, in NumPy's order of operations. */
    private Complex over(Complex x, Complex y) {
      double c = y.real();
      double d = y.imaginary();
      if (c == 0 && d == 0) {
        return new Complex(round(x.real() / Math.abs(c)), round(x.imaginary() / Math.abs(c)));
      }
      boolean wide = Math.abs(c) >= Math.abs(d);
      double ratio = wide ? round(d / c) : round(c / d);
      double scale =
          wide ? round(1 / round(c + round(d * ratio))) : round(1 / round(d + round(c * ratio)));
      double real =
          wide
              ? round(x.real() + round(x.imaginary() * ratio))
              : round(round(x.real() * ratio) + x.imaginary());
      double imaginary =
          wide
              ? round(x.imaginary() - round(x.real() * ratio))
              : round(round(x.imaginary() * ratio) - x.real());
      return new Complex(round(real * scale), round(imaginary * scale));
    }
  }

  /** A 16-bit binary floating-point format. */
  enum Half {
    FLOAT16(11, -14, 15),
    BFLOAT16(8, -126, 127);

    private final int precision;
    private final int minExponent;
    private final int maxExponent;

    Half(int precision, int minExponent, int maxExponent) {
      this.precision = precision;
      this.minExponent = minExponent;
      this.maxExponent = maxExponent;
    }

    /** Returns the nearest value of the format, ties to even, by exact decimal arithmetic. */
    float round(float value) {
      if (Float.isNaN(value) || Float.isInfinite(value) || value == 0) {
        return value;
      }
      int exponent = Math.max(Math.getExponent(value), minExponent);
      BigDecimal quantum = power(exponent - precision + 1);
      BigInteger steps =
          new BigDecimal(value)
              .divide(quantum)
              .setScale(0, java.math.RoundingMode.HALF_EVEN)
              .toBigIntegerExact();
      float rounded = new BigDecimal(steps).multiply(quantum).floatValue();
      boolean over = rounded != 0 && Math.getExponent(rounded) > maxExponent;
      return Math.copySign(over ? Float.POSITIVE_INFINITY : rounded, value);
    }

    /** Returns the bits of a value of the format; all NaNs have the same bits. */
    short bits(float value) {
      int sign = Float.floatToRawIntBits(value) < 0 ? 0x8000 : 0;
      int allOnes = (maxExponent - minExponent + 2) << (precision - 1);
      float magnitude = Math.abs(value);
      if (Float.isNaN(value)) {
        return (short) (allOnes | 1 << (precision - 2));
      }
      if (Float.isInfinite(value)) {
        return (short) (sign | allOnes);
      }
      int exponent = magnitude == 0 ? minExponent - 1 : Math.getExponent(magnitude);
      int biased = Math.max(exponent - minExponent + 1, 0);
      BigDecimal quantum = power(Math.max(exponent, minExponent) - precision + 1);
      int steps = new BigDecimal(magnitude).divide(quantum).intValueExact();
      int fraction = biased == 0 ? steps : steps - (1 << (precision - 1));
      return (short) (sign | biased << (precision - 1) | fraction);
    }

    private static BigDecimal power(int exponent) {
      BigDecimal power = BigDecimal.valueOf(2).pow(Math.abs(exponent));
      return exponent < 0 ? BigDecimal.ONE.divide(power) : power;
    }
  }
}
