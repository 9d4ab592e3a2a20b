/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.rows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.sparknd.kernel.cpu.HalfRows;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.HalfFloats;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests stochastic rounding to float16 and bfloat16. */
class HalfFloatRowsTest {
  private static final int COUNT = 100_000;

  @ParameterizedTest
  @EnumSource(names = {"FLOAT16", "BFLOAT16"})
  void roundingYieldsANeighbourAndIsUnbiased(DType dtype) {
    for (float value : new float[] {1.001f, -1.001f, 3e-5f, -7.3e-8f, 1000.3f, 0.3f}) {
      float[] drawn = drawn(dtype, value, 3);
      float low = Float.POSITIVE_INFINITY;
      float high = Float.NEGATIVE_INFINITY;
      double sum = 0;
      for (float one : drawn) {
        low = Math.min(low, one);
        high = Math.max(high, one);
        sum += one;
      }
      assertThat(low).isLessThan(value);
      assertThat(high).isGreaterThan(value);
      float[] neighbours = new float[] {nearest(dtype, low), nearest(dtype, high)};
      assertThat(neighbours).containsExactly(low, high);
      assertThat(drawn).containsOnly(low, high);
      assertThat(nearest(dtype, (low + high) / 2)).isIn(low, high); // no value in between
      assertThat(sum / COUNT).isCloseTo(value, within((double) (high - low) / 50));
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"FLOAT16", "BFLOAT16"})
  void representableValuesDoNotChange(DType dtype) {
    for (float value : new float[] {0, -0f, 1, -2.5f, 0x1p-24f, Float.POSITIVE_INFINITY}) {
      float exact = nearest(dtype, value);
      assertThat(drawn(dtype, value, 1)).containsOnly(exact);
    }
    assertThat(drawn(dtype, Float.NaN, 1)).containsOnly(Float.NaN);
    assertThat(drawn(dtype, Float.NEGATIVE_INFINITY, 1)).containsOnly(Float.NEGATIVE_INFINITY);
  }

  @ParameterizedTest
  @EnumSource(names = {"FLOAT16", "BFLOAT16"})
  void rowsAndStepsHaveIndependentRoundings(DType dtype) {
    float[] values = new float[8];
    Arrays.fill(values, 1 + 0x1p-8f + 0x1p-11f); // half way in float16, almost in bfloat16
    int same = 0;
    for (int id = 0; id < 1000; id++) {
      same += Arrays.equals(draw(dtype, values, id, 0), draw(dtype, values, id, 1)) ? 1 : 0;
      assertThat(draw(dtype, values, id, 5)).isEqualTo(draw(dtype, values, id, 5));
    }
    assertThat(same).isLessThan(50);
  }

  /** Weights and slots of a row must not be rounded by the same bits. */
  @Test
  void weightsAndSlotsHaveIndependentRoundings() {
    float[] values = new float[8];
    Arrays.fill(values, 1 + 0x1p-8f);
    int same = 0;
    for (int id = 0; id < 1000; id++) {
      short[] weights = draw(DType.BFLOAT16, values, id, 3);
      short[] first = rounded(values, HalfFloatRows.slotStream(id, 3, 0));
      short[] second = rounded(values, HalfFloatRows.slotStream(id, 3, 1));
      same += Arrays.equals(weights, first) ? 1 : 0;
      same += Arrays.equals(weights, second) ? 1 : 0;
      same += Arrays.equals(first, second) ? 1 : 0;
    }
    assertThat(same).isBetween(1, 40); // 3000 / 256 by chance
  }

  private static short[] rounded(float[] values, long stream) {
    short[] halves = new short[values.length];
    HalfFloatRows.roundState(values, halves, 0, values.length, stream);
    return halves;
  }

  /** Each of the four elements that share a draw has the right mean, and they are independent. */
  @Test
  void roundingOfStateIsUnbiasedInEveryPlace() {
    float[] values = new float[8];
    Arrays.fill(values, -1 - 0x1p-9f); // a quarter of the way to the next
    int[] away = new int[values.length];
    int both = 0;
    for (int id = 0; id < 20_000; id++) {
      short[] rounded = rounded(values, HalfFloatRows.slotStream(id, 5, 0));
      for (int i = 0; i < values.length; i++) {
        assertThat(HalfFloats.fromBfloat16(rounded[i])).isIn(-1f, -1 - 0x1p-7f);
        away[i] += HalfFloats.fromBfloat16(rounded[i]) == -1 ? 0 : 1;
      }
      both += rounded[0] != rounded[1] ? 0 : 1;
    }
    for (int count : away) {
      assertThat(count).isBetween(4_700, 5_300);
    }
    assertThat(both).isBetween(12_200, 12_800); // 0.75^2 + 0.25^2
  }

  /** Saved trainings must go on with the same bits. The expected values come from Python. */
  @Test
  void streamsDoNotChangeBetweenVersions() {
    assertThat(HalfFloatRows.weightStream(7, 3)).isEqualTo(-1671674449627456589L);
    assertThat(HalfFloatRows.slotStream(7, 3, 1)).isEqualTo(2383653239997114154L);
  }

  /** The same for the bits of a stream that each element takes; from Python, too. */
  @Test
  void roundingsOfStateDoNotChangeBetweenVersions() {
    float[] values = {
      1 + 0x1p-8f, -1 - 0x1p-8f, 3.14159f, -0.001f, 100.3f, 1e-40f, 7e30f, 0.1f, 2.7f, -5.5e-3f
    };
    int[] expected = {
      0x3f81, 0xbf81, 0x4049, 0xba83, 0x42c9, 0x0001, 0x72b1, 0x3dcd, 0x402c, 0xbbb4
    };
    short[] rounded = rounded(values, HalfFloatRows.slotStream(7, 3, 1));
    for (int i = 0; i < values.length; i++) {
      assertThat(rounded[i]).as("element %d", i).isEqualTo((short) expected[i]);
    }
  }

  private static short[] draw(DType dtype, float[] values, long id, long step) {
    short[] halves = new short[values.length];
    long stream = HalfFloatRows.weightStream(id, step);
    HalfFloatRows.roundStochastically(dtype, values, 0, halves, 0, values.length, stream);
    return halves;
  }

  private static float[] drawn(DType dtype, float value, long id) {
    float[] values = new float[COUNT];
    Arrays.fill(values, value);
    float[] widened = new float[COUNT];
    HalfRows.widen(dtype, draw(dtype, values, id, 9), 0, widened, 0, COUNT);
    return widened;
  }

  private static float nearest(DType dtype, float value) {
    short[] half = new short[1];
    float[] widened = new float[1];
    HalfRows.round(dtype, new float[] {value}, 0, half, 0, 1);
    HalfRows.widen(dtype, half, 0, widened, 0, 1);
    return widened[0];
  }
}
