/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.kernel;

import io.sparknd.op.Reduction;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.HalfFloats;
import java.math.BigInteger;
import java.util.Arrays;

/**
 * A reference for kernels: applies one update to one element at a time. Integers are computed in
 * {@link BigInteger} and then wrapped, half floats through float32, complex numbers by the textbook
 * formulas.
 */
final class KernelOracle {
  private KernelOracle() {}

  /** Applies the units of the update at {@code q} to the element at {@code p}. */
  static void apply(DType dtype, Reduction reduction, Object target, int p, Object updates, int q) {
    if (reduction == Reduction.NONE) {
      System.arraycopy(updates, q, target, p, dtype.units());
      return;
    }
    switch (dtype.kind()) {
      case BOOL -> bool(reduction, (byte[]) target, p, ((byte[]) updates)[q]);
      case SIGNED, UNSIGNED ->
          writeInteger(
              target,
              p,
              integer(reduction, readInteger(dtype, target, p), readInteger(dtype, updates, q)));
      case FLOAT ->
          writeReal(
              dtype,
              target,
              p,
              real(dtype, reduction, readReal(dtype, target, p), readReal(dtype, updates, q)));
      case COMPLEX -> complex(dtype, reduction, target, p, updates, q);
      case STRING ->
          ((String[]) target)[p] = text(reduction, ((String[]) target)[p], ((String[]) updates)[q]);
    }
  }

  private static String text(Reduction reduction, String a, String b) {
    int order = Arrays.compare(a.codePoints().toArray(), b.codePoints().toArray());
    return switch (reduction) {
      case ADD -> a + b;
      case MIN, FMIN -> order < 0 ? a : b;
      case MAX, FMAX -> order > 0 ? a : b;
      default -> throw new AssertionError(reduction);
    };
  }

  private static void bool(Reduction reduction, byte[] target, int p, byte update) {
    boolean a = target[p] != 0;
    boolean b = update != 0;
    boolean joined =
        switch (reduction) {
          case ADD, MAX, FMAX -> a || b;
          case MUL, MIN, FMIN -> a && b;
          default -> throw new AssertionError(reduction);
        };
    target[p] = (byte) (joined ? 1 : 0);
  }

  private static BigInteger integer(Reduction reduction, BigInteger a, BigInteger b) {
    return switch (reduction) {
      case ADD, MEAN -> a.add(b);
      case SUB -> a.subtract(b);
      case MUL -> a.multiply(b);
      case MIN, FMIN -> a.min(b);
      case MAX, FMAX -> a.max(b);
      case NONE, DIV -> throw new AssertionError(reduction);
    };
  }

  static BigInteger readInteger(DType dtype, Object array, int i) {
    BigInteger value =
        switch (dtype.storage()) {
          case BYTE -> BigInteger.valueOf(((byte[]) array)[i]);
          case SHORT -> BigInteger.valueOf(((short[]) array)[i]);
          case INT -> BigInteger.valueOf(((int[]) array)[i]);
          case LONG -> BigInteger.valueOf(((long[]) array)[i]);
          default -> throw new AssertionError(dtype);
        };
    boolean negative = dtype.kind() == DType.Kind.UNSIGNED && value.signum() < 0;
    return negative ? value.add(BigInteger.ONE.shiftLeft(8 * dtype.bytes())) : value;
  }

  static void writeInteger(Object array, int i, BigInteger value) {
    if (array instanceof byte[] bytes) {
      bytes[i] = value.byteValue();
    } else if (array instanceof short[] shorts) {
      shorts[i] = value.shortValue();
    } else if (array instanceof int[] ints) {
      ints[i] = value.intValue();
    } else {
      ((long[]) array)[i] = value.longValue();
    }
  }

  /** Computes one step in double, rounded to float32 if the dtype requires it. */
  private static double real(DType dtype, Reduction reduction, double a, double b) {
    double exact =
        switch (reduction) {
          case ADD, MEAN -> a + b;
          case SUB -> a - b;
          case MUL -> a * b;
          case DIV -> a / b;
          case MIN -> lesser(a, b);
          case MAX -> -lesser(-a, -b);
          case FMIN -> Double.isNaN(a) ? b : Double.isNaN(b) ? a : lesser(a, b);
          case FMAX -> Double.isNaN(a) ? b : Double.isNaN(b) ? a : -lesser(-a, -b);
          case NONE -> throw new AssertionError(reduction);
        };
    // float32 operations equal the double ones rounded to float32: 53 >= 2 * 24 + 2 digits
    return single(dtype) ? (float) exact : exact;
  }

  private static double lesser(double a, double b) {
    if (Double.isNaN(a) || Double.isNaN(b)) {
      return Double.NaN;
    }
    if (a == b) {
      return 1 / a < 0 ? a : b;
    }
    return a < b ? a : b;
  }

  private static boolean single(DType dtype) {
    return dtype != DType.FLOAT64 && dtype != DType.COMPLEX128;
  }

  static double readReal(DType dtype, Object array, int i) {
    return switch (dtype) {
      case FLOAT16 -> HalfFloats.fromFloat16(((short[]) array)[i]);
      case BFLOAT16 -> HalfFloats.fromBfloat16(((short[]) array)[i]);
      case FLOAT32, COMPLEX64 -> ((float[]) array)[i];
      case FLOAT64, COMPLEX128 -> ((double[]) array)[i];
      default -> throw new AssertionError(dtype);
    };
  }

  static void writeReal(DType dtype, Object array, int i, double value) {
    switch (dtype) {
      case FLOAT16 -> ((short[]) array)[i] = HalfFloats.toFloat16((float) value);
      case BFLOAT16 -> ((short[]) array)[i] = HalfFloats.toBfloat16((float) value);
      case FLOAT32, COMPLEX64 -> ((float[]) array)[i] = (float) value;
      case FLOAT64, COMPLEX128 -> ((double[]) array)[i] = value;
      default -> throw new AssertionError(dtype);
    }
  }

  private static void complex(
      DType dtype, Reduction reduction, Object target, int p, Object updates, int q) {
    double a = readReal(dtype, target, p);
    double b = readReal(dtype, target, p + 1);
    double c = readReal(dtype, updates, q);
    double d = readReal(dtype, updates, q + 1);
    Steps step = new Steps(dtype);
    switch (reduction) {
      case ADD, MEAN, SUB -> {
        writeReal(dtype, target, p, real(dtype, reduction, a, c));
        writeReal(dtype, target, p + 1, real(dtype, reduction, b, d));
      }
      case MUL -> {
        writeReal(dtype, target, p, step.less(step.times(a, c), step.times(b, d)));
        writeReal(dtype, target, p + 1, step.plus(step.times(a, d), step.times(b, c)));
      }
      case DIV -> {
        double[] quotient = step.quotient(a, b, c, d);
        writeReal(dtype, target, p, quotient[0]);
        writeReal(dtype, target, p + 1, quotient[1]);
      }
      default -> throw new AssertionError(reduction);
    }
  }

  /** Arithmetic that rounds after each step. */
  private record Steps(DType dtype) {
    double plus(double a, double b) {
      return real(dtype, Reduction.ADD, a, b);
    }

    double less(double a, double b) {
      return real(dtype, Reduction.SUB, a, b);
    }

    double times(double a, double b) {
      return real(dtype, Reduction.MUL, a, b);
    }

    double over(double a, double b) {
      return real(dtype, Reduction.DIV, a, b);
    }

    /** Smith's method. Swapping the parts of both numbers turns one case into the other. */
    double[] quotient(double a, double b, double c, double d) {
      if (c == 0 && d == 0) {
        return new double[] {over(a, Math.abs(c)), over(b, Math.abs(c))};
      }
      if (!(Math.abs(c) >= Math.abs(d))) {
        double ratio = over(c, d);
        double scale = over(1, plus(d, times(c, ratio)));
        return new double[] {
          times(plus(times(a, ratio), b), scale), times(less(times(b, ratio), a), scale)
        };
      }
      double ratio = over(d, c);
      double scale = over(1, plus(c, times(d, ratio)));
      return new double[] {
        times(plus(a, times(b, ratio)), scale), times(less(b, times(a, ratio)), scale)
      };
    }
  }
}
