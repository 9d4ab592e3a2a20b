/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.optimizer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.sparknd.tensor.SparkNdException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.DoubleUnaryOperator;
import java.util.function.LongFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests the values of initializers. */
class InitializerTest {
  private static final int ROWS = 4000;
  private static final int DIM = 32;

  static Stream<LongFunction<Initializer>> random() {
    return Stream.of(
        seed -> Initializer.uniform(-0.05f, 0.05f, seed),
        seed -> Initializer.normal(1, 2, seed),
        seed -> Initializer.truncatedNormal(1, 2, seed));
  }

  @Property(tries = 200)
  void elementDependsOnlyOnItsPosition(
      @ForAll long seed, @ForAll long id, @ForAll @IntRange(min = 1, max = 70) int dim) {
    random()
        .map(maker -> maker.apply(seed))
        .forEach(
            initializer -> {
              float[] wide = row(initializer, id, 80);
              float[] within = new float[dim + 7];
              initializer.fill(id + 1, within, 0, dim);
              initializer.fill(id, within, 5, dim);
              for (int i = 0; i < dim; i++) {
                assertThat(within[5 + i]).isEqualTo(wide[i]);
              }
              assertThat(within[dim + 5]).isZero();
            });
  }

  private static float[] row(Initializer initializer, long id, int dim) {
    float[] row = new float[dim];
    initializer.fill(id, row, 0, dim);
    return row;
  }

  @ParameterizedTest
  @MethodSource("random")
  void seedsIdsAndElementsDiffer(LongFunction<Initializer> maker) {
    Set<Float> seen = new HashSet<>();
    for (long seed = -3; seed < 3; seed++) {
      for (long id = 0; id < 10; id++) {
        for (float value : row(maker.apply(seed), id, 10)) {
          seen.add(value);
        }
      }
    }
    // a few of 600 floats may be equal by chance
    assertThat(seen).hasSizeGreaterThan(595);
  }

  /**
   * Missing rows of saved tables must not change between versions. The expected values come from
   * Python.
   */
  @Test
  void bitsDoNotChangeBetweenVersions() {
    assertThat(row(Initializer.uniform(-1, 1, 42), 7, 3))
        .containsExactly(0.4696458f, -0.6946082f, 0.2785822f);
    assertThat(row(Initializer.normal(0, 1, 42), 7, 3))
        .containsExactly(-1.1956787f, -0.318658f, 0.4426061f);
    assertThat(row(Initializer.truncatedNormal(0, 1, 42), 1L << 40, 3))
        .containsExactly(0.48645073f, 1.109812f, -0.22758593f);
  }

  @Test
  void uniformFillsItsRange() {
    float[] all = all(Initializer.uniform(-0.05f, 0.05f, 1));
    for (float value : all) {
      assertThat(value).isBetween(-0.05f, 0.05f);
    }
    assertMoments(all, 0, 0.1 / Math.sqrt(12));
    for (int tenth = 0; tenth < 10; tenth++) {
      double from = -0.05 + tenth * 0.01;
      assertThat(share(all, x -> x >= from && x < from + 0.01 ? 1 : 0))
          .isCloseTo(0.1, within(0.005));
    }
  }

  @Test
  void normalHasItsQuantiles() {
    float[] all = all(Initializer.normal(1, 2, 1));
    assertMoments(all, 1, 2);
    assertThat(share(all, x -> x < 1 ? 1 : 0)).isCloseTo(0.5, within(0.005));
    assertThat(share(all, x -> Math.abs(x - 1) < 2 ? 1 : 0)).isCloseTo(0.6827, within(0.005));
    assertThat(share(all, x -> Math.abs(x - 1) > 4 ? 1 : 0)).isCloseTo(0.0455, within(0.003));
  }

  @Test
  void truncatedNormalStaysWithinTwoDeviations() {
    float[] all = all(Initializer.truncatedNormal(1, 2, 1));
    for (float value : all) {
      assertThat(value).isBetween(-3f, 5f);
    }
    // the standard deviation of a normal distribution truncated at two deviations
    assertMoments(all, 1, 2 * 0.8796);
  }

  /** Neighboring elements of a row and consecutive rows are uncorrelated. */
  @ParameterizedTest
  @MethodSource("random")
  void neighboursAreNotCorrelated(LongFunction<Initializer> maker) {
    float[] all = all(maker.apply(9));
    assertThat(correlation(all, 1)).isCloseTo(0, within(0.02));
    assertThat(correlation(all, DIM)).isCloseTo(0, within(0.02));
  }

  private static double correlation(float[] all, int apart) {
    double mean = share(all, x -> x);
    double variance = share(all, x -> (x - mean) * (x - mean));
    return IntStream.range(apart, all.length)
            .mapToDouble(i -> (all[i] - mean) * (all[i - apart] - mean))
            .average()
            .orElseThrow()
        / variance;
  }

  private static void assertMoments(float[] all, double mean, double stddev) {
    double found = share(all, x -> x);
    assertThat(found).isCloseTo(mean, within(0.02 * stddev));
    double variance = share(all, x -> (x - found) * (x - found));
    assertThat(Math.sqrt(variance)).isCloseTo(stddev, within(0.01 * stddev));
  }

  private static double share(float[] all, DoubleUnaryOperator of) {
    return IntStream.range(0, all.length)
        .mapToDouble(i -> of.applyAsDouble(all[i]))
        .average()
        .orElseThrow();
  }

  private static float[] all(Initializer initializer) {
    float[] all = new float[ROWS * DIM];
    for (int row = 0; row < ROWS; row++) {
      initializer.fill(row, all, row * DIM, DIM);
    }
    return all;
  }

  @Test
  void constantsAndZerosDoNotWriteBeyondTheirRow() {
    float[] to = {9, 9, 9, 9};
    Initializer.constant(0.5).fill(3, to, 1, 2);
    assertThat(to).containsExactly(9, 0.5f, 0.5f, 9);
    Initializer.zeros().fill(3, to, 2, 2);
    assertThat(to).containsExactly(9, 0.5f, 0, 0);
  }

  /** With 6 inputs, PyTorch's {@code calculate_gain('relu') * sqrt(3 / 6)} is 1. */
  @Test
  void boundsOfLayersAreThoseOfPyTorch() {
    assertThat(Initializer.kaimingUniform(6, 3)).isEqualTo(Initializer.uniform(-1, 1, 3));
    assertThat(Initializer.kaimingUniform(24, 3)).isEqualTo(Initializer.uniform(-0.5, 0.5, 3));
    assertThat(Initializer.xavierUniform(20, 4, 3)).isEqualTo(Initializer.uniform(-0.5, 0.5, 3));
    double least = Initializer.xavierUniform(Integer.MAX_VALUE, Integer.MAX_VALUE, 3).magnitude();
    assertThat(least).isCloseTo(Math.sqrt(3 * 0x1p-31), within(1e-12));
  }

  @Test
  void magnitudesAreThoseThatElementsCanHave() {
    assertThat(Initializer.constant(-2).magnitude()).isEqualTo(2);
    assertThat(Initializer.uniform(-3, 2, 0).magnitude()).isEqualTo(3);
    assertThat(Initializer.uniform(-3, 4, 0).magnitude()).isEqualTo(4);
    assertThat(Initializer.normal(-3, 9, 0).magnitude()).isEqualTo(3);
    assertThat(Initializer.truncatedNormal(-1, 3, 0).magnitude()).isEqualTo(7);
  }

  @Test
  void rangesOfRowsHaveTheirOwnInitializers() {
    Initializer byRow =
        new Initializer.ByRow(
            List.of(
                new Initializer.ByRow.Range(0, Initializer.constant(1)),
                new Initializer.ByRow.Range(3, Initializer.constant(-5)),
                new Initializer.ByRow.Range(4, Initializer.constant(2))));
    float[] found = new float[6];
    for (int id = 0; id < found.length; id++) {
      byRow.fill(id, found, id, 1);
    }
    assertThat(found).containsExactly(1, 1, 1, -5, 2, 2);
    assertThat(byRow.magnitude()).isEqualTo(5);
  }

  @Test
  void badNumbersAreRefused() {
    assertRefused(() -> Initializer.constant(1e39), "value is 1.0E39; it must be a finite float32");
    assertRefused(
        () -> Initializer.uniform(1, 1, 0), "the range from low 1.0 to high 1.0 is empty");
    assertRefused(() -> Initializer.uniform(Double.NaN, 1, 0), "low is NaN");
    assertRefused(() -> Initializer.uniform(0, 1e40, 0), "high is 1.0E40");
    assertRefused(() -> Initializer.normal(Double.NaN, 1, 0), "mean is NaN");
    assertRefused(() -> Initializer.normal(0, 0, 0), "stddev is 0.0; it must be above 0");
    assertRefused(() -> Initializer.truncatedNormal(1e39, 1, 0), "mean is 1.0E39");
    assertRefused(() -> Initializer.xavierUniform(0, 6, 0), "fanIn is 0.0; it must be above 0");
    assertRefused(() -> Initializer.xavierUniform(8, -2, 0), "fanOut is -2.0");
    assertRefused(() -> Initializer.kaimingUniform(0, 0), "fanIn is 0.0");
    assertRefused(() -> Initializer.truncatedNormal(0, -1, 0), "stddev is -1.0");
  }

  private static void assertRefused(Runnable call, String message) {
    assertThatThrownBy(call::run)
        .isInstanceOf(SparkNdException.class)
        .hasMessageStartingWith(message);
  }
}
