/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.examples.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.sparknd.tensor.SparkNdException;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class MeasuresTest {
  @Test
  void theNearestRowsPointTheSameWay() {
    TrainedRows rows = new TrainedRows(new float[] {1, 0, 9, 1, 0, 1, -1, 0, 1, 0.2f, 0, 0}, 2);
    assertThat(rows.nearest(0, 3)).containsExactly(1, 4, 2);
    assertThat(rows.cosine(0, 3)).isEqualTo(-1);
    assertThat(rows.cosine(0, 5)).isZero();
    assertThat(rows.first(2).values()).containsExactly(1, 0, 9, 1);
  }

  @Test
  void weightsAreHowOftenSomethingIsDrawn() {
    WeightedChoice choice = WeightedChoice.of(4, i -> new double[] {1, 0, 5, 2}[i]);
    SplittableRandom random = SeededDraws.of(1, 2);
    int[] counts = new int[4];
    for (int i = 0; i < 80_000; i++) {
      counts[choice.draw(random)]++;
    }
    assertThat(counts[1]).isZero();
    assertThat(counts[0]).isBetween(9_500, 10_500);
    assertThat(counts[2]).isBetween(49_000, 51_000);
    assertThat(counts[3]).isBetween(19_300, 20_700);
  }

  @Test
  void drawsDependOnEveryPartOfTheirPlace() {
    long[] draws =
        Arrays.stream(new long[][] {{1}, {2}, {1, 0}, {0, 1}, {1, 1}, {0, 0, 0}})
            .mapToLong(place -> SeededDraws.of(7, place).nextLong())
            .toArray();
    assertThat(draws).doesNotHaveDuplicates();
    assertThat(SeededDraws.of(7, 1, 2).nextLong()).isEqualTo(SeededDraws.of(7, 1, 2).nextLong());
    assertThat(SeededDraws.of(7, 1, 2).nextLong()).isNotEqualTo(SeededDraws.of(8, 1, 2).nextLong());
  }

  @Test
  void optionsBelowTheirBoundAreErrors() {
    OptionBounds.atLeast(1, "--users", 1);
    assertThatThrownBy(() -> OptionBounds.atLeast(1, "--users", 0))
        .isInstanceOf(SparkNdException.class)
        .hasMessage("--users is 0; it must be at least 1");
  }

  @Test
  void theLogisticLossIsFiniteAndHasItsSlope() {
    assertThat(Logistic.loss(0, 1)).isCloseTo(Math.log(2), within(1e-12));
    assertThat(Logistic.loss(-800, 1)).isEqualTo(800);
    assertThat(Logistic.loss(800, 1)).isZero();
    double slope = (Logistic.loss(0.7 + 1e-5, 0) - Logistic.loss(0.7 - 1e-5, 0)) / 2e-5;
    assertThat(slope).isCloseTo(Logistic.probability(0.7), within(1e-8));
  }
}
