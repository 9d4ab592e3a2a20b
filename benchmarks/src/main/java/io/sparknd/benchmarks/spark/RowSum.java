/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.spark;

import org.apache.spark.sql.Encoder;
import org.apache.spark.sql.expressions.Aggregator;

/** Adds rows of {@link Size#WIDTH} float32 element by element. */
final class RowSum extends Aggregator<float[], float[], float[]> {
  private static final long serialVersionUID = 1;

  private final Encoder<float[]> encoder;

  RowSum(Encoder<float[]> encoder) {
    this.encoder = encoder;
  }

  @Override
  public float[] zero() {
    return new float[Size.WIDTH];
  }

  @Override
  public float[] reduce(float[] sum, float[] row) {
    for (int i = 0; i < sum.length; i++) {
      sum[i] += row[i];
    }
    return sum;
  }

  @Override
  public float[] merge(float[] sum, float[] other) {
    return reduce(sum, other);
  }

  @Override
  public float[] finish(float[] sum) {
    return sum;
  }

  @Override
  public Encoder<float[]> bufferEncoder() {
    return encoder;
  }

  @Override
  public Encoder<float[]> outputEncoder() {
    return encoder;
  }
}
