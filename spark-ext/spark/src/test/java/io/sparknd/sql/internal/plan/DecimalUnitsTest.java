/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.sql.internal.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparknd.op.Reduction;
import io.sparknd.tensor.Shape;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.types.DecimalType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests int64 encodings of decimals against BigInteger, with sums of as many terms as allowed. */
class DecimalUnitsTest {
  private static DecimalUnits summed(int precision) {
    return DecimalUnits.summed(new DecimalType(precision, 0));
  }

  private static Decimal decimal(BigInteger unscaled, DecimalUnits units) {
    return Decimal.apply(new BigDecimal(unscaled, units.scale()), units.precision(), units.scale());
  }

  /** Adds {@code number} to {@code sum}, as often as {@code times} says, as int64 folds do. */
  private static void add(DecimalUnits units, long[] sum, BigInteger number, long times) {
    long[] values = new long[units.count()];
    units.encode(decimal(number, units), values, 0);
    Arrays.setAll(sum, i -> sum[i] + times * values[i]);
  }

  private static void assertSum(DecimalUnits units, long[] sum, BigInteger expected) {
    assertThat(units.sum(sum, 0).unscaledValue()).isEqualTo(expected);
    Decimal decoded = units.decode(sum, 0);
    if (new BigDecimal(expected).precision() <= units.precision()) {
      assertThat(decoded).isEqualTo(decimal(expected, units));
    } else {
      assertThat(decoded).isNull();
    }
  }

  @Test
  void billionsOfPaymentsAreExact() {
    DecimalUnits units = DecimalUnits.summed(new DecimalType(38, 2));
    long[] sum = new long[units.count()];
    add(units, sum, BigInteger.valueOf(1_234_567_890), 8_000_000_000L);
    assertThat(units.decode(sum, 0)).hasToString("98765431200000000.00");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3, 9, 10, 15, 17, 18, 19, 20, 27, 28, 31, 36, 37, 38})
  void sumsOfTheMostTermsAreExact(int precision) {
    DecimalUnits units = summed(precision);
    BigInteger bound = BigInteger.TEN.pow(precision).subtract(BigInteger.ONE);
    long most = units.mostAdded();
    for (int shift = 0; shift < bound.bitLength(); shift++) {
      // ends in a one and zeros: half the base, the largest digit, at one of the shifts
      BigInteger number =
          bound.shiftRight(shift).shiftLeft(shift).or(BigInteger.ZERO.setBit(shift));
      for (BigInteger term : List.of(number.min(bound), number.min(bound).negate())) {
        long[] sum = new long[units.count()];
        add(units, sum, term, most + 1);
        assertSum(units, sum, term.multiply(BigInteger.valueOf(most + 1)));
        // an element from which the updates are subtracted
        add(units, sum, term, -2 * most - 1);
        assertSum(units, sum, term.multiply(BigInteger.valueOf(-most)));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {5, 12, 18, 19, 25, 30, 38})
  void randomSumsAreExact(int precision) {
    Random random = new Random(precision);
    DecimalUnits units = summed(precision);
    for (int i = 0; i < 300; i++) {
      long left = units.mostAdded() >> random.nextInt(40);
      long[] sum = new long[units.count()];
      BigInteger expected = BigInteger.ZERO;
      while (left > 0) {
        long times = 1 + random.nextLong(left);
        left -= times;
        int bits = 1 + random.nextInt(precision * 3);
        BigInteger number = new BigInteger(bits, random);
        number = random.nextBoolean() ? number : number.negate();
        add(units, sum, number, times);
        expected = expected.add(number.multiply(BigInteger.valueOf(times)));
        assertSum(units, sum, expected);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {9, 18, 19, 27, 38})
  void encodingsAreKeptAndOrdered(int precision) {
    BigInteger bound = BigInteger.TEN.pow(precision).subtract(BigInteger.ONE);
    TreeSet<BigInteger> numbers = new TreeSet<>(List.of(BigInteger.ZERO));
    for (int shift = 0; shift < bound.bitLength(); shift++) {
      BigInteger power = BigInteger.ONE.shiftLeft(shift);
      for (BigInteger number : List.of(bound.shiftRight(shift), power, power.add(BigInteger.ONE))) {
        numbers.add(number.min(bound));
        numbers.add(number.min(bound).negate());
        numbers.add(number.subtract(BigInteger.TWO));
      }
    }
    DecimalType type = new DecimalType(precision, 0);
    for (DecimalUnits units : List.of(DecimalUnits.whole(type), DecimalUnits.summed(type))) {
      long[] before = new long[units.count()];
      Arrays.fill(before, Long.MIN_VALUE);
      for (BigInteger number : numbers) {
        long[] values = new long[units.count()];
        add(units, values, number, 1);
        assertSum(units, values, number);
        assertThat(Arrays.compare(before, values)).isNegative();
        before = values;
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"9, 1", "10, 2", "18, 2", "19, 3", "27, 3", "28, 4", "37, 4", "38, 5"})
  void sumsHaveFewValues(int precision, int count) {
    assertThat(summed(precision).count()).isEqualTo(count);
    assertThat(summed(precision).mostAdded()).isGreaterThanOrEqualTo((1L << 33) - 2);
  }

  @Test
  void moreTermsAreAnError() {
    DecimalUnits units = DecimalUnits.summed(new DecimalType(18, 2));
    DecimalEncoding encoding = new DecimalEncoding(units, Shape.of(1));
    long most = (1L << 33) - 2;
    for (Reduction adds : List.of(Reduction.ADD, Reduction.SUB)) {
      encoding.requireExact(adds, most);
      assertThatThrownBy(() -> encoding.requireExact(adds, most + 1))
          .hasMessageContaining("has 8589934591 updates, and sums of DECIMAL(18,2) are exact for")
          .hasMessageContaining("at most 8589934590: scatter them in several calls");
    }
    assertThatCode(() -> encoding.requireExact(Reduction.NONE, Long.MAX_VALUE))
        .doesNotThrowAnyException();
    assertThat(DecimalUnits.summed(new DecimalType(38, 2)).mostAdded()).isEqualTo((1L << 38) - 2);
  }
}
