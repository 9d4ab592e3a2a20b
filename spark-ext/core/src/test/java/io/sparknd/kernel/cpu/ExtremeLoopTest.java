/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.kernel.cpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.kernel.spi.ScatterKernel;
import io.sparknd.kernel.spi.SliceAddresses;
import io.sparknd.op.Reduction;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Compares the loops for large tensors with those for all others: many duplicates, rare values. */
class ExtremeLoopTest {
  private static final int ELEMENTS = 200;
  private static final double[] RARE = {
    Double.NaN, 0.0, -0.0, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, 1, -1
  };

  @ParameterizedTest
  @EnumSource(names = {"MIN", "MAX"})
  void floatsAreThoseOfTheScalarLoop(Reduction reduction) {
    for (int seed = 0; seed < 200; seed++) {
      Random random = new Random(seed);
      SliceAddresses at = addresses(random);
      float[] updates = floats(SliceAddresses.CAPACITY, random);
      float[] expected = floats(ELEMENTS, random);
      float[] actual = expected.clone();
      run(FloatScalarLoop.kernel(reduction), new float[][] {expected}, at, updates);
      run(FloatExtremeLoop.large(reduction), new float[][] {actual}, at, updates);
      assertThat(bits(actual)).isEqualTo(bits(expected));
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"MIN", "MAX"})
  void doublesAreThoseOfTheScalarLoop(Reduction reduction) {
    for (int seed = 0; seed < 200; seed++) {
      Random random = new Random(seed);
      SliceAddresses at = addresses(random);
      double[] updates = doubles(SliceAddresses.CAPACITY, random);
      double[] expected = doubles(ELEMENTS, random);
      double[] actual = expected.clone();
      run(DoubleScalarLoop.kernel(reduction), new double[][] {expected}, at, updates);
      run(DoubleExtremeLoop.large(reduction), new double[][] {actual}, at, updates);
      assertThat(bits(actual)).isEqualTo(bits(expected));
    }
  }

  private static void run(
      ScatterKernel kernel, Object[] blocks, SliceAddresses at, Object updates) {
    kernel.apply(blocks, at, updates, 1);
    kernel.finish();
  }

  private static SliceAddresses addresses(Random random) {
    SliceAddresses at = new SliceAddresses();
    at.count = random.nextInt(SliceAddresses.CAPACITY + 1);
    int elements = 1 + random.nextInt(ELEMENTS);
    for (int i = 0; i < at.count; i++) {
      at.position[i] = random.nextInt(elements);
      at.row[i] = random.nextInt(SliceAddresses.CAPACITY);
    }
    return at;
  }

  private static float[] floats(int count, Random random) {
    float[] values = new float[count];
    for (int i = 0; i < count; i++) {
      values[i] = (float) value(random);
    }
    return values;
  }

  private static double[] doubles(int count, Random random) {
    return random.ints(count).mapToDouble(any -> value(random)).toArray();
  }

  private static double value(Random random) {
    return random.nextInt(20) == 0 ? RARE[random.nextInt(RARE.length)] : random.nextGaussian();
  }

  /** The bits of each value, with one pattern for all NaNs. */
  private static int[] bits(float[] values) {
    int[] bits = new int[values.length];
    for (int i = 0; i < bits.length; i++) {
      bits[i] = Float.floatToIntBits(values[i]);
    }
    return bits;
  }

  private static long[] bits(double[] values) {
    long[] bits = new long[values.length];
    for (int i = 0; i < bits.length; i++) {
      bits[i] = Double.doubleToLongBits(values[i]);
    }
    return bits;
  }
}
