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
 * digits to the base 2^32, highest first, with the sign, so that arrays of them are in the order of
 * the decimals. A sum of such digits is exact for up to 2^31 decimals; carries are resolved only at
 * the end.
 *
 * @param count number of int64 values per decimal; 1 for the unscaled value itself
 */
record DecimalUnits(int precision, int scale, int count) implements Serializable {
  private static final long serialVersionUID = 1;
  private static final long LOW = 0xFFFF_FFFFL;

  /** Up to 2^33 decimals of this many decimal digits can be summed in an int64. */
  private static final int SUMMED_WHOLE = 9;

  /**
   * Returns the encoding for moves and comparisons. It has more than one value if the unscaled
   * value may exceed int64.
   */
  static DecimalUnits whole(DecimalType type) {
    return of(type, Decimal.MAX_LONG_DIGITS());
  }

  /** Returns the encoding for sums and differences. */
  static DecimalUnits summed(DecimalType type) {
    return of(type, SUMMED_WHOLE);
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

  private static DecimalUnits of(DecimalType type, int whole) {
    int count =
        type.precision() <= whole ? 1 : type.precision() <= Decimal.MAX_LONG_DIGITS() ? 2 : 4;
    return new DecimalUnits(type.precision(), type.scale(), count);
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
      out[at] = count == 1 ? unscaled : unscaled >> Integer.SIZE;
      if (count > 1) {
        out[at + 1] = unscaled & LOW;
      }
      return;
    }
    BigInteger rest = decimal.toJavaBigDecimal().unscaledValue();
    for (int i = count - 1; i > 0; i--) {
      out[at + i] = rest.longValue() & LOW;
      rest = rest.shiftRight(Integer.SIZE);
    }
    out[at] = rest.longValueExact();
  }

  /** Decodes {@code values[at..]} to a number, which may exceed the type's precision. */
  BigDecimal sum(long[] values, int at) {
    BigInteger unscaled = BigInteger.ZERO;
    for (int i = 0; i < count; i++) {
      unscaled = unscaled.shiftLeft(Integer.SIZE).add(BigInteger.valueOf(values[at + i]));
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
