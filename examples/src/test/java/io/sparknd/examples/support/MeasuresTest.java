/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.examples.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class MeasuresTest {
  @Test
  void scoresThatTellAllApartHaveAnAucOfOne() {
    assertThat(Auc.of(new double[] {3, 4}, new double[] {1, 2})).isEqualTo(1);
    assertThat(Auc.of(new double[] {1, 2}, new double[] {3, 4})).isZero();
  }

  @Test
  void tiesCountHalf() {
    assertThat(Auc.of(new double[] {1, 1}, new double[] {1, 1, 1})).isEqualTo(0.5);
    // of the six pairs, four are in the right order, one is tied, one is wrong
    assertThat(Auc.of(new double[] {1, 3}, new double[] {0, 1, 2})).isEqualTo((1 + 0.5 + 3) / 6);
  }

  @Test
  void theAucIsTheShareOfPairsInTheRightOrder() {
    SplittableRandom random = new SplittableRandom(3);
    double[] scores = random.doubles(200).map(x -> Math.round(x * 20)).toArray();
    boolean[] positive = new boolean[scores.length];
    for (int i = 0; i < positive.length; i++) {
      positive[i] = random.nextDouble() * 20 < scores[i];
    }
    double right = 0;
    double pairs = 0;
    for (int i = 0; i < scores.length; i++) {
      for (int j = 0; j < scores.length; j++) {
        if (positive[i] && !positive[j]) {
          pairs++;
          right += scores[i] > scores[j] ? 1 : scores[i] == scores[j] ? 0.5 : 0;
        }
      }
    }
    assertThat(Auc.of(scores, positive)).isCloseTo(right / pairs, within(1e-12));
  }

  @Test
  void theRmseIsThatOfItsErrors() {
    assertThat(Rmse.of(new double[] {1, 2, 3}, new double[] {1, 4, 2}))
        .isCloseTo(Math.sqrt(5 / 3.0), within(1e-12));
  }

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
  void theLogisticLossIsFiniteAndHasItsSlope() {
    assertThat(Logistic.loss(0, 1)).isCloseTo(Math.log(2), within(1e-12));
    assertThat(Logistic.loss(-800, 1)).isEqualTo(800);
    assertThat(Logistic.loss(800, 1)).isZero();
    double slope = (Logistic.loss(0.7 + 1e-5, 0) - Logistic.loss(0.7 - 1e-5, 0)) / 2e-5;
    assertThat(slope).isCloseTo(Logistic.probability(0.7), within(1e-8));
  }
}
