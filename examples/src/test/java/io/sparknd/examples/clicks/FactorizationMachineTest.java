/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.examples.clicks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.sparknd.examples.support.Auc;
import io.sparknd.examples.support.GradientCheck;
import io.sparknd.examples.support.LocalTrainer;
import io.sparknd.examples.support.TrainedRows;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class FactorizationMachineTest {
  private static final int TRAINING = 40_000;

  private final ClickLog log = new ClickLog(new int[] {30, 20, 10}, 2, 1);

  @Test
  void theGradientIsThatOfTheLoss() {
    Clicks clicks =
        new Clicks(new int[] {0, 2, 4, 1, 2, 5, 0, 3, 5}, new boolean[] {true, false, true}, 3);
    GradientCheck.check(new FactorizationMachine(6), clicks, 4);
  }

  @Test
  void theScoreSumsWeightsAndInnerProductsOfAllPairs() {
    // two factors, three features and the bias
    TrainedRows rows = new TrainedRows(new float[] {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 0, 0}, 3);
    Clicks clicks = new Clicks(new int[] {0, 1, 2}, new boolean[1], 3);
    double pairs = (2 * 5 + 3 * 6) + (2 * 8 + 3 * 9) + (5 * 8 + 6 * 9);
    assertThat(new FactorizationMachine(3).scores(rows, clicks))
        .containsExactly(10 + 1 + 4 + 7 + pairs);
  }

  @Test
  void everyFieldHasItsFeaturesAndPopularOnesComeMoreOften() {
    Clicks clicks = log.clicks(0, 5_000);
    int[] counts = new int[60];
    for (int i = 0; i < clicks.features().length; i++) {
      int feature = clicks.features()[i];
      assertThat(feature).isBetween(new int[] {0, 30, 50}[i % 3], new int[] {29, 49, 59}[i % 3]);
      counts[feature]++;
    }
    assertThat(counts[0]).isGreaterThan(3 * counts[10]);
    assertThat(counts[30]).isGreaterThan(3 * counts[45]);
  }

  @Test
  void clicksAreAsLikelyAsTheirScoresSay() {
    Clicks clicks = log.clicks(0, 50_000);
    double[] scores = log.scores(clicks);
    double expected = IntStream.range(0, scores.length).mapToDouble(i -> chance(scores[i])).sum();
    long clicked = IntStream.range(0, scores.length).filter(i -> clicks.clicked()[i]).count();
    assertThat((double) clicked).isCloseTo(expected, within(400.0));
  }

  private static double chance(double score) {
    return 1 / (1 + Math.exp(-score));
  }

  @Test
  void itRanksNearlyAsWellAsTheTruth() {
    LocalTrainer trainer = new LocalTrainer(log.machine().rows(), 3, 0.1);
    int batch = 500;
    List<Double> losses =
        trainer.train(
            log.machine(), (step, shard) -> log.clicks(step * batch % TRAINING, batch), 800);
    assertThat(losses.subList(790, 800).stream().mapToDouble(x -> x).average().orElseThrow())
        .isLessThan(losses.get(0) - 0.1);
    Clicks later = log.clicks(TRAINING, 20_000);
    double best = Auc.of(log.scores(later), later.clicked());
    double learnt = Auc.of(log.machine().scores(trainer.rows(), later), later.clicked());
    assertThat(best).isBetween(0.65, 0.95);
    assertThat(learnt).isBetween(best - 0.02, best + 0.002);
  }
}
