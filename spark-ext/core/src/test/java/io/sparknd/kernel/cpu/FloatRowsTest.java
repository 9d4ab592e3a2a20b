/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.kernel.cpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.kernel.cpu.FloatRows.AdagradStep;
import io.sparknd.kernel.cpu.FloatRows.AdamStep;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that loops over rows have the bits of an element at a time, for every length. */
class FloatRowsTest {
  private static final int AT = 3;
  private static final int OWN = 5;
  private static final int FROM = 2;
  private static final int REST = 7;
  private static final float[] EDGES = {
    0f,
    -0f,
    1f,
    Float.MIN_VALUE,
    -Float.MIN_NORMAL,
    Float.MAX_VALUE,
    Float.NaN,
    Float.NEGATIVE_INFINITY,
    1e-30f,
    -3e19f
  };

  private final SplittableRandom random = new SplittableRandom(11);

  private float[] values(int from, int dim) {
    float[] values = new float[from + dim + REST];
    for (int i = 0; i < values.length; i++) {
      values[i] =
          random.nextInt(8) == 0
              ? EDGES[random.nextInt(EDGES.length)]
              : (float) (random.nextDouble() * 4 - 2);
    }
    return values;
  }

  /** Sums of squares are not negative. */
  private float[] squares(int from, int dim) {
    float[] values = values(from, dim);
    for (int i = 0; i < values.length; i++) {
      values[i] = values[i] < 0 ? -values[i] : values[i];
    }
    return values;
  }

  private static void assertSameBits(float[] actual, float[] expected) {
    for (int i = 0; i < expected.length; i++) {
      // all NaNs are one: which bits an operation gives is up to the CPU
      assertThat(Float.floatToIntBits(actual[i]))
          .as("element %d: %s and %s", i, actual[i], expected[i])
          .isEqualTo(Float.floatToIntBits(expected[i]));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3, 4, 7, 8, 9, 15, 16, 17, 31, 33, 64, 100})
  void adagradOfRowsIsThatOfElements(int dim) {
    for (AdagradStep step :
        new AdagradStep[] {new AdagradStep(0.1f, 1e-7f, 0), new AdagradStep(0.1f, 0, 1e-10f)}) {
      float[] weights = values(AT, dim);
      float[] sums = squares(OWN, dim);
      float[] slopes = values(FROM, dim);
      float[] expected = weights.clone();
      float[] expectedSums = sums.clone();
      for (int i = 0; i < dim; i++) {
        float sum = expectedSums[OWN + i] + slopes[FROM + i] * slopes[FROM + i];
        expectedSums[OWN + i] = sum;
        float root = (float) Math.sqrt(sum + step.inside()) + step.outside();
        expected[AT + i] -= step.rate() * slopes[FROM + i] / root;
      }
      FloatRows.adagrad(weights, AT, sums, OWN, slopes, FROM, dim, step);
      assertSameBits(weights, expected);
      assertSameBits(sums, expectedSums);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3, 4, 7, 8, 9, 15, 16, 17, 31, 33, 64, 100})
  void adamOfRowsIsThatOfElements(int dim) {
    AdamStep step = new AdamStep(0.003f, 0.1f, 0.001f, 1e-8f);
    float[] weights = values(AT, dim);
    float[] ms = values(OWN, dim);
    float[] vs = squares(OWN, dim);
    float[] slopes = values(FROM, dim);
    float[] expected = weights.clone();
    float[] expectedMs = ms.clone();
    float[] expectedVs = vs.clone();
    for (int i = 0; i < dim; i++) {
      float slope = slopes[FROM + i];
      expectedMs[OWN + i] += (slope - expectedMs[OWN + i]) * step.fresh1();
      expectedVs[OWN + i] += (slope * slope - expectedVs[OWN + i]) * step.fresh2();
      float root = (float) Math.sqrt(expectedVs[OWN + i]) + step.epsilon();
      expected[AT + i] -= expectedMs[OWN + i] * step.rate() / root;
    }
    FloatRows.adam(weights, AT, ms, vs, OWN, slopes, FROM, dim, step);
    assertSameBits(weights, expected);
    assertSameBits(ms, expectedMs);
    assertSameBits(vs, expectedVs);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3, 4, 7, 8, 9, 15, 16, 17, 31, 33, 64, 100})
  void everyElementThatIsNotFiniteIsFound(int dim) {
    float[] values = new float[FROM + dim + 1];
    Arrays.fill(values, Float.MAX_VALUE);
    values[FROM] = -0f;
    values[0] = Float.NaN; // before and after the row
    values[FROM + dim] = Float.POSITIVE_INFINITY;
    assertThat(FloatRows.isFinite(values, FROM, dim)).isTrue();
    for (float bad : new float[] {Float.NaN, Float.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY}) {
      for (int i = 0; i < dim; i++) {
        float before = values[FROM + i];
        values[FROM + i] = bad;
        assertThat(FloatRows.isFinite(values, FROM, dim)).as("%s at %d", bad, i).isFalse();
        values[FROM + i] = before;
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 3, 4, 8, 9, 16, 17, 32, 64, 67})
  void copiesAreOfTheElementsOfTheRowOnly(int dim) {
    float[] from = values(FROM, dim);
    float[] to = values(AT, dim);
    float[] expected = to.clone();
    for (int i = 0; i < dim; i++) {
      expected[AT + i] = from[FROM + i];
    }
    FloatRows.copy(from, FROM, to, AT, dim);
    assertSameBits(to, expected);
    float[] rest = from.clone();
    Arrays.fill(rest, FROM, FROM + dim, 0);
    float[] taken = values(AT, dim);
    System.arraycopy(taken, 0, expected, 0, AT);
    System.arraycopy(taken, AT + dim, expected, AT + dim, REST);
    FloatRows.take(from, FROM, taken, AT, dim);
    assertSameBits(taken, expected);
    assertSameBits(from, rest);
  }
}
