/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.tensor;

import java.math.BigDecimal;

/**
 * Converts float16 and bfloat16 to float32 and back. Widening is exact. Narrowing rounds to
 * nearest, ties to even, and preserves NaN (IEEE 754-2019, 5.4.2).
 */
public final class HalfFloats {
  private static final int FLOAT_INFINITY = 0x7f80_0000;
  private static final int EXPONENT_SHIFT = 112 << 23;

  private HalfFloats() {}

  /** Returns whether {@code dtype} is float16 or bfloat16. */
  public static boolean isHalf(DType dtype) {
    return dtype == DType.FLOAT16 || dtype == DType.BFLOAT16;
  }

  /** Returns the number of a dtype nearest to {@code value}: another one only of 16 bits. */
  public static float rounded(DType dtype, float value) {
    return switch (dtype) {
      case FLOAT16 -> fromFloat16(toFloat16(value));
      case BFLOAT16 -> fromBfloat16(toBfloat16(value));
      default -> value;
    };
  }

  /** Returns the float16 with bits {@code half} as float32. */
  public static float fromFloat16(short half) {
    int sign = (half & 0x8000) << 16;
    int exponent = (half >>> 10) & 0x1f;
    int mantissa = half & 0x3ff;
    if (exponent == 0) {
      return Float.intBitsToFloat(sign | Float.floatToRawIntBits(mantissa * 0x1p-24f));
    }
    int magnitude =
        exponent == 0x1f
            ? FLOAT_INFINITY | mantissa << 13
            : (exponent << 23) + EXPONENT_SHIFT | mantissa << 13;
    return Float.intBitsToFloat(sign | magnitude);
  }

  /** Returns the bits of the float16 nearest to {@code value}; infinity from 65520 on. */
  public static short toFloat16(float value) {
    int bits = Float.floatToRawIntBits(value);
    int sign = bits >>> 16 & 0x8000;
    int magnitude = bits & 0x7fff_ffff;
    if (magnitude > FLOAT_INFINITY) {
      return (short) (sign | 0x7e00 | (magnitude >>> 13 & 0x3ff));
    }
    if (magnitude >= 0x477f_f000) {
      return (short) (sign | 0x7c00);
    }
    if (magnitude < 0x3880_0000) {
      // below 2^-14: adding 0.5 leaves the rounded multiple of 2^-24 in the low bits
      float shifted = Float.intBitsToFloat(magnitude) + 0.5f;
      return (short) (sign | Float.floatToRawIntBits(shifted) - Float.floatToRawIntBits(0.5f));
    }
    int rounded = magnitude + 0xfff + (magnitude >>> 13 & 1);
    return (short) (sign | (rounded - EXPONENT_SHIFT) >>> 13);
  }

  /**
   * Rounds {@code value} to a float32 whose last bit is set if the conversion is inexact. Narrowing
   * that float32 gives the same result as narrowing {@code value} itself (Boldo and Melquiond,
   * "Emulation of FMA and correctly rounded sums: proved algorithms using rounding to odd", 2008).
   */
  public static float roundToOdd(double value) {
    float nearest = (float) value;
    if (nearest == value || Double.isNaN(value)) {
      return nearest;
    }
    return odd(nearest, Math.abs((double) nearest) > Math.abs(value));
  }

  /** Returns the odd one of the two float32 around a value, of which {@code nearest} is one. */
  private static float odd(float nearest, boolean isAway) {
    int bits = Float.floatToRawIntBits(nearest);
    return Float.intBitsToFloat((isAway ? bits - 1 : bits) | 1);
  }

  /** As {@link #roundToOdd(double)}, of a number that a double may not have. */
  static float roundToOdd(BigDecimal value) {
    float nearest = value.floatValue();
    if (Float.isInfinite(nearest)) {
      return nearest;
    }
    int away = new BigDecimal(nearest).abs().compareTo(value.abs());
    return away == 0 ? nearest : odd(nearest, away > 0);
  }

  /** Returns the bfloat16 with bits {@code half} as float32. */
  public static float fromBfloat16(short half) {
    return Float.intBitsToFloat(half << 16);
  }

  /** Returns the bits of the bfloat16 nearest to {@code value}. */
  public static short toBfloat16(float value) {
    int bits = Float.floatToRawIntBits(value);
    if ((bits & 0x7fff_ffff) > FLOAT_INFINITY) {
      return (short) (bits >>> 16 | 0x40);
    }
    return (short) ((bits + 0x7fff + (bits >>> 16 & 1)) >>> 16);
  }
}
