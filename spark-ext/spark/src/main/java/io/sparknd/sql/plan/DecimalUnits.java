/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.sql.plan;

import io.sparknd.tensor.Shape;
import java.io.Serializable;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.types.DecimalType;

/**
 * A decimal as int64 values whose sums are those of the decimals: its unscaled value, or that cut
 * into digits to the base 2^32, the lowest one first and the highest one with the sign. A sum of
 * such digits is exact for up to 2^31 decimals, and nothing is carried until the end.
 *
 * @param count of the values; 1 for the unscaled value itself
 */
record DecimalUnits(int precision, int scale, int count) implements Serializable {
  private static final long serialVersionUID = 1;
  private static final long LOW = 0xFFFF_FFFFL;

  /** Decimals of so many decimal digits can be added up 2^33 times in an int64. */
  private static final int SUMMED_WHOLE = 9;

  /** For moving and comparing; more than one value if the unscaled one may take more than int64. */
  static DecimalUnits whole(DecimalType type) {
    return of(type, Decimal.MAX_LONG_DIGITS());
  }

  /** For sums and differences. */
  static DecimalUnits summed(DecimalType type) {
    return of(type, SUMMED_WHOLE);
  }

  private static DecimalUnits of(DecimalType type, int whole) {
    int count =
        type.precision() <= whole ? 1 : type.precision() <= Decimal.MAX_LONG_DIGITS() ? 2 : 4;
    return new DecimalUnits(type.precision(), type.scale(), count);
  }

  DecimalType type() {
    return new DecimalType(precision, scale);
  }

  /** The shape of the tensor that a tensor of decimals becomes. */
  Shape shape(Shape decimals) {
    return count == 1 ? decimals : decimals.concat(Shape.of(count));
  }

  /** The values of a number; null if it is none of the type. */
  long[] values(BigDecimal number) {
    BigDecimal scaled = number.setScale(scale, RoundingMode.DOWN);
    if (scaled.compareTo(number) != 0 || scaled.precision() > precision) {
      return null;
    }
    long[] values = new long[count];
    split(Decimal.apply(scaled, precision, scale), values, 0);
    return values;
  }

  /** Puts {@code decimal} at {@code out[at..]}. */
  void split(Decimal decimal, long[] out, int at) {
    if (precision <= Decimal.MAX_LONG_DIGITS()) {
      long unscaled = decimal.toUnscaledLong();
      out[at] = count == 1 ? unscaled : unscaled & LOW;
      if (count > 1) {
        out[at + 1] = unscaled >> Integer.SIZE;
      }
      return;
    }
    BigInteger rest = decimal.toJavaBigDecimal().unscaledValue();
    for (int i = 0; i < count - 1; i++) {
      out[at + i] = rest.longValue() & LOW;
      rest = rest.shiftRight(Integer.SIZE);
    }
    out[at + count - 1] = rest.longValueExact();
  }

  /** The number that {@code values[at..]} make, which may be more than the type can hold. */
  BigDecimal sum(long[] values, int at) {
    BigInteger unscaled = BigInteger.ZERO;
    for (int i = count - 1; i >= 0; i--) {
      unscaled = unscaled.shiftLeft(Integer.SIZE).add(BigInteger.valueOf(values[at + i]));
    }
    return new BigDecimal(unscaled, scale);
  }

  /** The decimal that {@code values[at..]} make; null if it does not fit the type. */
  Decimal join(long[] values, int at) {
    if (count == 1) {
      long bound = Decimal.POW_10()[precision];
      boolean fits = -bound < values[at] && values[at] < bound;
      return fits ? Decimal.createUnsafe(values[at], precision, scale) : null;
    }
    BigDecimal sum = sum(values, at);
    return sum.precision() <= precision ? Decimal.apply(sum, precision, scale) : null;
  }
}
