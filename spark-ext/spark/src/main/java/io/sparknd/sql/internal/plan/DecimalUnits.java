/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.sql.internal.plan;

import io.sparknd.op.Reduction;
import io.sparknd.sql.internal.SqlErrors;
import io.sparknd.tensor.Shape;
import java.io.Serializable;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.types.DecimalType;
import org.jspecify.annotations.Nullable;

/**
 * Encodes decimals as int64 values that can be summed. The encoding is the unscaled value, or its
 * digits to the base 2^{@code bits}, highest first, each from half the base below zero to half the
 * base above. So arrays of them are in the order of the decimals. Sums of fewer than 2^(64 - {@code
 * bits}) digits do not overflow; carries are resolved only at the end.
 *
 * @param count number of int64 values per decimal; 1 for the unscaled value itself
 * @param bits of a digit
 */
record DecimalUnits(int precision, int scale, int count, int bits) implements Serializable {
  private static final long serialVersionUID = 1;

  /** The most bits of a digit that is summed: 9 decimal digits and a sign. */
  private static final int SUMMED_BITS = 31;

  /**
   * Returns the encoding for moves and comparisons. It has more than one value if the unscaled
   * value may exceed int64.
   */
  static DecimalUnits whole(DecimalType type) {
    int count = ceilDiv(signedBits(type), Long.SIZE);
    return new DecimalUnits(type.precision(), type.scale(), count, Long.SIZE);
  }

  /** Returns the encoding for sums and differences. */
  static DecimalUnits summed(DecimalType type) {
    int signed = signedBits(type);
    int count = ceilDiv(signed, SUMMED_BITS);
    return new DecimalUnits(type.precision(), type.scale(), count, ceilDiv(signed, count));
  }

  /**
   * Returns the encoding for a scatter.
   *
   * @throws io.sparknd.tensor.SparkNdException if the reduction is not defined for such decimals
   */
  static DecimalUnits of(Reduction reduction, DecimalType type) {
    DecimalUnits whole = whole(type);
    return switch (reduction) {
      case NONE -> whole;
      case ADD, SUB -> summed(type);
      case MIN, MAX, FMIN, FMAX -> {
        if (whole.count() > 1) {
          throw SqlErrors.decimalsNotCompared(reduction.toString(), type.sql(), type.scale());
        }
        yield whole;
      }
      case MUL, DIV, MEAN -> throw SqlErrors.decimalReduction(reduction.toString(), type.sql());
    };
  }

  private static int signedBits(DecimalType type) {
    return BigInteger.TEN.pow(type.precision()).bitLength() + 1;
  }

  private static int ceilDiv(int dividend, int divisor) {
    return (dividend + divisor - 1) / divisor;
  }

  /** Returns the most decimals that can be added to a sum, or subtracted from it. */
  long mostAdded() {
    return (1L << (Long.SIZE - bits)) - 2;
  }

  DecimalType type() {
    return new DecimalType(precision, scale);
  }

  /** Returns the shape of the int64 tensor that encodes a decimal tensor. */
  Shape shape(Shape decimals) {
    return count == 1 ? decimals : decimals.concat(Shape.of(count));
  }

  /** Encodes a number; null if the decimal type cannot represent it exactly. */
  long @Nullable [] values(BigDecimal number) {
    BigDecimal scaled = number.setScale(scale, RoundingMode.DOWN);
    if (scaled.compareTo(number) != 0 || scaled.precision() > precision) {
      return null;
    }
    long[] values = new long[count];
    encode(Decimal.apply(scaled, precision, scale), values, 0);
    return values;
  }

  /** Encodes {@code decimal} into {@code out[at..]}. */
  void encode(Decimal decimal, long[] out, int at) {
    if (precision <= Decimal.MAX_LONG_DIGITS()) {
      long unscaled = decimal.toUnscaledLong();
      encode(unscaled >> (Long.SIZE - 1), unscaled, out, at);
      return;
    }
    BigInteger unscaled = decimal.toJavaBigDecimal().unscaledValue();
    long low = unscaled.longValue();
    boolean isLong = unscaled.bitLength() < Long.SIZE;
    long high = isLong ? low >> (Long.SIZE - 1) : unscaled.shiftRight(Long.SIZE).longValue();
    encode(high, low, out, at);
  }

  /** Encodes a number of 128 bits. */
  private void encode(long high, long low, long[] out, int at) {
    long rest = low;
    long above = high;
    for (int i = count - 1; i > 0; i--) {
      out[at + i] = rest << (Long.SIZE - bits) >> (Long.SIZE - bits);
      long carry = rest >>> (bits - 1) & 1;
      rest = (bits == Long.SIZE ? above : rest >>> bits | above << (Long.SIZE - bits)) + carry;
      above = (above >> Math.min(bits, Long.SIZE - 1)) + (rest == 0 ? carry : 0);
    }
    out[at] = rest;
  }

  /** Decodes {@code values[at..]} to a number, which may exceed the type's precision. */
  BigDecimal sum(long[] values, int at) {
    BigInteger unscaled = BigInteger.valueOf(values[at]);
    for (int i = 1; i < count; i++) {
      unscaled = unscaled.shiftLeft(bits).add(BigInteger.valueOf(values[at + i]));
    }
    return new BigDecimal(unscaled, scale);
  }

  /** Decodes {@code values[at..]} to a decimal; null if it does not fit the type. */
  @Nullable Decimal decode(long[] values, int at) {
    if (count == 1) {
      long bound = Decimal.POW_10()[precision];
      boolean fits = -bound < values[at] && values[at] < bound;
      return fits ? Decimal.createUnsafe(values[at], precision, scale) : null;
    }
    BigDecimal sum = sum(values, at);
    return sum.precision() <= precision ? Decimal.apply(sum, precision, scale) : null;
  }
}
