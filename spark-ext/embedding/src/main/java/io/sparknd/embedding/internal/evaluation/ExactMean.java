/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.evaluation;

import java.io.Serializable;
import java.math.BigDecimal;
import java.math.BigInteger;

/**
 * The mean of float64 values. Their sum is a fixed-point number that holds any of them exactly, so
 * it does not depend on their order, and is rounded once. Sums to within 2^63 values.
 */
final class ExactMean implements Serializable {
  private static final long serialVersionUID = 1;
  private static final int LIMB_BITS = 32;
  private static final long LIMB_MASK = (1L << LIMB_BITS) - 1;
  private static final int FRACTION_BITS = 52;
  private static final long FRACTION_MASK = (1L << FRACTION_BITS) - 1;

  /** The unit of the sum is the smallest positive double, 2^-1074. */
  private static final BigDecimal UNIT = new BigDecimal(Double.MIN_VALUE);

  /** 2098 bits of a double, and 64 for carries. */
  private static final int LIMBS = (2098 + 64 + LIMB_BITS - 1) / LIMB_BITS;

  /** An addition changes a limb by less than 2^32. */
  private static final int ADDITIONS_PER_CARRY = 1 << 29;

  private final long[] limbs = new long[LIMBS];
  private int sinceCarry;
  private long count;
  private double notFinite;

  void add(double value) {
    count++;
    if (!Double.isFinite(value)) {
      notFinite += value;
      return;
    }
    long bits = Double.doubleToRawLongBits(value);
    int exponent = Math.getExponent(value) - Double.MIN_EXPONENT; // -1 if subnormal
    long fraction = bits & FRACTION_MASK;
    addShifted(
        exponent < 0 ? fraction : fraction | (1L << FRACTION_BITS),
        Math.max(exponent, 0),
        bits < 0 ? -1 : 1);
    if (++sinceCarry == ADDITIONS_PER_CARRY) {
      carry();
    }
  }

  /** Adds {@code sign * fraction * 2^shift} units. */
  private void addShifted(long fraction, int shift, int sign) {
    int limb = shift / LIMB_BITS;
    int offset = shift % LIMB_BITS;
    long low = (fraction & LIMB_MASK) << offset;
    long high = (fraction >>> LIMB_BITS) << offset;
    limbs[limb] += sign * (low & LIMB_MASK);
    limbs[limb + 1] += sign * ((low >>> LIMB_BITS) + (high & LIMB_MASK));
    limbs[limb + 2] += sign * (high >>> LIMB_BITS);
  }

  /** Brings all limbs but the last into 32 bits. */
  private void carry() {
    for (int i = 0; i + 1 < LIMBS; i++) {
      limbs[i + 1] += limbs[i] >> LIMB_BITS;
      limbs[i] &= LIMB_MASK;
    }
    sinceCarry = 0;
  }

  /** Adds the values of another mean. */
  ExactMean and(ExactMean other) {
    carry();
    other.carry();
    for (int i = 0; i < LIMBS; i++) {
      limbs[i] += other.limbs[i];
    }
    sinceCarry = 1;
    count += other.count;
    notFinite += other.notFinite;
    return this;
  }

  long count() {
    return count;
  }

  /** Returns the rounded sum divided by the count; NaN without values. */
  double mean() {
    if (notFinite != 0) { // true for NaN
      return notFinite;
    }
    BigInteger units = BigInteger.ZERO;
    for (int i = LIMBS - 1; i >= 0; i--) {
      units = units.shiftLeft(LIMB_BITS).add(BigInteger.valueOf(limbs[i]));
    }
    return new BigDecimal(units).multiply(UNIT).doubleValue() / count;
  }
}
