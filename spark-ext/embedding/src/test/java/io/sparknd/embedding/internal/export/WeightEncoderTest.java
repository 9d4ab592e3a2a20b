/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.export;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparknd.embedding.export.WeightPrecision;
import io.sparknd.embedding.internal.rows.RowTile;
import io.sparknd.tensor.SparkNdException;
import org.junit.jupiter.api.Test;

/** Tests roundings at the ends of a precision's range. */
class WeightEncoderTest {
  private static RowTile row(float... weights) {
    return new RowTile(1, new long[] {7}, weights);
  }

  private static Object encoded(WeightPrecision precision, float... weights) {
    WeightEncoder encoder = new WeightEncoder(precision, weights.length);
    RowTile tile = row(weights);
    return encoder.weights(
        tile, precision == WeightPrecision.INT8 ? encoder.scales(tile) : new float[0]);
  }

  @Test
  void int8WeightsThatAreReadAsInfinityAreRejected() {
    int rejected = 0;
    for (float largest = Float.MAX_VALUE; rejected == 0; largest = Math.nextDown(largest)) {
      if (Float.isInfinite(127 * (largest / 127))) {
        float value = largest;
        assertThatThrownBy(() -> encoded(WeightPrecision.INT8, 1, value))
            .isInstanceOf(SparkNdException.class)
            .hasMessageContaining("row 7 has a weight of");
        rejected++;
      }
    }
  }

  @Test
  void rowsOfZerosAndTinyRowsHaveInt8Weights() {
    assertThat((byte[]) encoded(WeightPrecision.INT8, 0f, -0f)).containsExactly(0, 0);
    assertThat((byte[]) encoded(WeightPrecision.INT8, Float.MIN_VALUE, 0)).containsExactly(0, 0);
    assertThat((byte[]) encoded(WeightPrecision.INT8, -254, 127, 3)).containsExactly(-127, 64, 2);
  }

  @Test
  void weightsThatRoundToInfinityAreRejected() {
    assertThat((short[]) encoded(WeightPrecision.FLOAT16, 65519.99f)).containsExactly(0x7BFF);
    for (float value : new float[] {65520, Float.NEGATIVE_INFINITY, Float.NaN}) {
      assertThatThrownBy(() -> encoded(WeightPrecision.FLOAT16, value))
          .isInstanceOf(SparkNdException.class);
    }
    for (WeightPrecision precision : WeightPrecision.values()) {
      assertThatThrownBy(() -> encoded(precision, 1, Float.NaN))
          .isInstanceOf(SparkNdException.class);
    }
    assertThatThrownBy(() -> encoded(WeightPrecision.BFLOAT16, Float.MAX_VALUE))
        .isInstanceOf(SparkNdException.class);
  }
}
