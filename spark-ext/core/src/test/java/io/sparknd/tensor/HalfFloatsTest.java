/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.tensor;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.util.Arrays;
import java.util.Random;
import java.util.function.IntToDoubleFunction;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

/** Tests the conversion between float16 or bfloat16 and float32. */
class HalfFloatsTest {
  private static final int FLOAT16_INFINITY = 0x7c00;
  private static final int BFLOAT16_INFINITY = 0x7f80;
  private static final double[] FLOAT16 = values(FLOAT16_INFINITY, HalfFloatsTest::float16Value);
  private static final double[] BFLOAT16 =
      values(BFLOAT16_INFINITY, bits -> Float.intBitsToFloat(bits << 16));

  @Test
  void everyFloat16KeepsItsBitsThroughFloat32() {
    for (int bits = 0; bits < 1 << 16; bits++) {
      float wide = HalfFloats.fromFloat16((short) bits);
      boolean nan = (bits & 0x7fff) > FLOAT16_INFINITY;
      assertThat(Float.isNaN(wide)).as("%x", bits).isEqualTo(nan);
      int expected = nan ? bits | 0x200 : bits;
      assertThat(HalfFloats.toFloat16(wide)).as("%x", bits).isEqualTo((short) expected);
    }
  }

  @Test
  void everyBfloat16KeepsItsBitsThroughFloat32() {
    for (int bits = 0; bits < 1 << 16; bits++) {
      float wide = HalfFloats.fromBfloat16((short) bits);
      boolean nan = (bits & 0x7fff) > BFLOAT16_INFINITY;
      assertThat(Float.isNaN(wide)).as("%x", bits).isEqualTo(nan);
      int expected = nan ? bits | 0x40 : bits;
      assertThat(HalfFloats.toBfloat16(wide)).as("%x", bits).isEqualTo((short) expected);
    }
  }

  @Test
  void float16ValuesAreThoseOfTheStandard() {
    for (int bits = 0; bits < FLOAT16_INFINITY; bits++) {
      assertThat(HalfFloats.fromFloat16((short) bits)).isEqualTo(float16Value(bits));
      assertThat(HalfFloats.fromFloat16((short) (bits | 0x8000))).isEqualTo(-float16Value(bits));
    }
    assertThat(HalfFloats.fromFloat16((short) FLOAT16_INFINITY)).isEqualTo(Float.POSITIVE_INFINITY);
    assertThat(HalfFloats.fromFloat16((short) 0xfc00)).isEqualTo(Float.NEGATIVE_INFINITY);
  }

  /** Returns a float16 value by IEEE 754 table 3.5, in arithmetic instead of bit operations. */
  private static float float16Value(int bits) {
    int exponent = bits >> 10;
    int fraction = bits & 0x3ff;
    return exponent == 0
        ? (float) (fraction * Math.pow(2, -24))
        : (float) ((1024 + fraction) * Math.pow(2, exponent - 25));
  }

  @Property(tries = 20_000)
  void narrowingRoundsToNearest(@ForAll int bits) {
    assertNearest(Float.intBitsToFloat(bits));
    // most floats are out of the float16 range, so bring the exponent into it
    float nearOne = Float.intBitsToFloat((bits & 0x807f_ffff) | 0x3f80_0000);
    assertNearest(Math.scalb(nearOne, bits % 28));
  }

  @Test
  void narrowingTakesTiesToEven() {
    for (int bits = 0; bits < FLOAT16_INFINITY; bits++) {
      assertNearestAround(middle(FLOAT16, bits));
    }
    for (int bits = 0; bits < BFLOAT16_INFINITY; bits++) {
      assertNearestAround(middle(BFLOAT16, bits));
    }
  }

  private static void assertNearestAround(float value) {
    assertNearest(value);
    assertNearest(-value);
    assertNearest(Math.nextUp(value));
    assertNearest(Math.nextDown(value));
  }

  @Test
  void onlyHalfDtypesRoundFloats() {
    float value = 1 + 0x1p-8f + 0x1p-20f;
    assertThat(HalfFloats.rounded(DType.FLOAT16, value)).isEqualTo(1 + 0x1p-8f);
    assertThat(HalfFloats.rounded(DType.BFLOAT16, value)).isEqualTo(1 + 0x1p-7f);
    assertThat(HalfFloats.rounded(DType.FLOAT32, value)).isEqualTo(value);
  }

  @Test
  void narrowingADoubleRoundsOnce() {
    Random random = new Random(7);
    for (int i = 0; i < 20_000; i++) {
      double middle = middle(FLOAT16, random.nextInt(FLOAT16_INFINITY));
      assertNearest(Math.nextUp(middle));
      assertNearest(Math.nextDown(middle));
      assertNearest(-Math.nextUp(middle));
      assertNearest(Double.longBitsToDouble(random.nextLong()));
    }
    assertNearest(Double.MAX_VALUE);
    assertNearest(Double.MIN_VALUE);
    assertNearest(-Double.MIN_VALUE);
  }

  private static void assertNearest(double value) {
    if (!Double.isFinite(value)) {
      return;
    }
    float odd = HalfFloats.roundToOdd(value);
    int sign = Math.copySign(1, value) < 0 ? 0x8000 : 0;
    short float16 = (short) (sign | nearest(FLOAT16, value));
    short bfloat16 = (short) (sign | nearest(BFLOAT16, value));
    if (HalfFloats.toFloat16(odd) != float16 || HalfFloats.toBfloat16(odd) != bfloat16) {
      // calling AssertJ for every value would dominate the run time
      assertThat(HalfFloats.toFloat16(odd)).as("float16 of %a", value).isEqualTo(float16);
      assertThat(HalfFloats.toBfloat16(odd)).as("bfloat16 of %a", value).isEqualTo(bfloat16);
    }
  }

  /** Finds the nearest value by search among all values and exact distances. */
  private static int nearest(double[] values, double value) {
    double wanted = Math.abs(value);
    int found = Arrays.binarySearch(values, wanted);
    if (found >= 0) {
      return found;
    }
    int above = Math.min(-found - 1, values.length - 1);
    BigDecimal exact = new BigDecimal(wanted);
    BigDecimal down = exact.subtract(new BigDecimal(values[above - 1]));
    BigDecimal up = new BigDecimal(values[above]).subtract(exact);
    int order = down.compareTo(up);
    boolean lower = order < 0 || (order == 0 && above % 2 == 1);
    return lower ? above - 1 : above;
  }

  /** Returns the midpoint of the values with bits {@code bits} and {@code bits + 1}. */
  private static float middle(double[] values, int bits) {
    return (float) ((values[bits] + values[bits + 1]) / 2);
  }

  /**
   * Returns all values from 0 upward, in the order of their bits. The position of infinity holds
   * the value that would come next.
   */
  private static double[] values(int infinity, IntToDoubleFunction value) {
    double[] values = new double[infinity + 1];
    for (int bits = 0; bits < infinity; bits++) {
      values[bits] = value.applyAsDouble(bits);
    }
    values[infinity] = 2 * values[infinity - 1] - values[infinity - 2];
    return values;
  }
}
