/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparknd.kernel.cpu.MeanDivider;
import io.sparknd.op.Reduction;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.SparkNdException;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests the division of sums by counts. */
class MeanDividerTest {
  private static final int LENGTH = 600;
  private static final long[] COUNTS = {1, 2, 3, 7, 255, 70_000, 5_000_000_000L};

  static Stream<DType> integers() {
    return Arrays.stream(DType.values()).filter(DType::isInteger);
  }

  static Stream<DType> reals() {
    return Arrays.stream(DType.values())
        .filter(d -> d.kind() == DType.Kind.FLOAT || d.kind() == DType.Kind.COMPLEX)
        .filter(d -> d.bytes() > Short.BYTES);
  }

  @ParameterizedTest
  @MethodSource("integers")
  void integersDivideTowardNegativeInfinity(DType dtype) {
    for (long count : COUNTS) {
      Object block = KernelData.random(dtype, LENGTH, new Random(count));
      Object expected = KernelData.copy(dtype.storage(), block);
      for (int i = 10; i < 500; i++) {
        BigInteger sum = KernelOracle.readInteger(dtype, block, i);
        KernelOracle.writeInteger(expected, i, floor(sum, BigInteger.valueOf(count)));
      }
      MeanDivider.divide(dtype, block, 10, 490, count);
      assertThat(block).isEqualTo(expected);
    }
  }

  @ParameterizedTest
  @MethodSource("reals")
  void realsDivideUnitByUnit(DType dtype) {
    for (long count : COUNTS) {
      Object block = KernelData.random(dtype, LENGTH, new Random(count));
      Object before = KernelData.copy(dtype.storage(), block);
      MeanDivider.divide(dtype, block, 10, 490, count);
      for (int i = 0; i < LENGTH; i++) {
        Object expected = KernelData.copy(dtype.storage(), before);
        if (i >= 10 && i < 500) {
          KernelOracle.writeReal(dtype, expected, i, quotient(dtype, before, i, count));
        }
        assertThat(KernelData.bits(dtype, block, i, true))
            .isEqualTo(KernelData.bits(dtype, expected, i, true));
      }
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = DType.class,
      names = {"BOOL", "STRING"})
  void boolsAndStringsHaveNoMean(DType dtype) {
    Object block = dtype.storage().allocate(1);
    assertThatThrownBy(() -> MeanDivider.divide(dtype, block, 0, 1, 1))
        .isInstanceOf(SparkNdException.class)
        .hasMessageStartingWith(Reduction.MEAN + " is not defined for " + dtype);
  }

  @Test
  void meanOfMinusSevenOverTwoIsMinusFour() {
    int[] block = {-7};
    MeanDivider.divide(DType.INT32, block, 0, 1, 2);
    assertThat(block).containsExactly(-4);
  }

  private static BigInteger floor(BigInteger sum, BigInteger count) {
    BigInteger[] parts = sum.divideAndRemainder(count);
    return parts[1].signum() < 0 ? parts[0].subtract(BigInteger.ONE) : parts[0];
  }

  private static double quotient(DType dtype, Object array, int i, long count) {
    double sum = KernelOracle.readReal(dtype, array, i);
    boolean twice = dtype == DType.FLOAT64 || dtype == DType.COMPLEX128;
    return twice ? sum / count : (float) sum / (float) count;
  }
}
