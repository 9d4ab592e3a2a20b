/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.examples.clicks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.sparknd.examples.support.GradientCheck;
import io.sparknd.examples.support.LocalTrainer;
import io.sparknd.examples.support.Logistic;
import io.sparknd.examples.support.TrainedRows;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class FactorizationMachineTest {
  private static final int TRAINING = 40_000;

  private final ClickLog log = new ClickLog(new int[] {30, 20, 10}, 2, 1);

  @Test
  void theGradientIsThatOfTheLoss() {
    Clicks clicks =
        new Clicks(new long[] {0, 2, 4, 1, 2, 5, 0, 3, 5}, new boolean[] {true, false, true}, 3);
    GradientCheck.check(new FactorizationMachine(6), clicks, 4);
  }

  @Test
  void theScoreSumsWeightsAndInnerProductsOfAllPairs() {
    // two factors, three features and the bias
    FmExample example = new FmExample(new float[] {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 0, 0}, 3, 3);
    example.read(field -> field, 9);
    double pairs = (2 * 5 + 3 * 6) + (2 * 8 + 3 * 9) + (5 * 8 + 6 * 9);
    assertThat((double) example.score()).isEqualTo(10 + 1 + 4 + 7 + pairs);
  }

  @Test
  void everyFieldHasItsFeaturesAndPopularOnesComeMoreOften() {
    Clicks clicks = log.clicks(0, 5_000);
    int[] counts = new int[60];
    for (int i = 0; i < clicks.features().length; i++) {
      int feature = (int) clicks.features()[i];
      assertThat(feature).isBetween(new int[] {0, 30, 50}[i % 3], new int[] {29, 49, 59}[i % 3]);
      counts[feature]++;
    }
    assertThat(counts[0]).isGreaterThan(3 * counts[10]);
    assertThat(counts[30]).isGreaterThan(3 * counts[45]);
  }

  @Test
  void clicksAreAsLikelyAsTheModelSays() {
    Clicks clicks = log.clicks(0, 50_000);
    double expected =
        IntStream.range(0, clicks.count()).mapToDouble(i -> probability(clicks, i)).sum();
    long clicked = IntStream.range(0, clicks.count()).filter(i -> clicks.clicked()[i]).count();
    assertThat((double) clicked).isCloseTo(expected, within(400.0));
  }

  @Test
  void itPredictsNearlyAsWellAsTheTruth() {
    FactorizationMachine machine = new FactorizationMachine(log.features());
    LocalTrainer trainer = new LocalTrainer(log.features() + 1, 3, 0.1);
    int batch = 500;
    List<Double> losses =
        trainer.train(machine, (step, shard) -> log.clicks(step * batch % TRAINING, batch), 800);
    assertThat(losses.subList(790, 800).stream().mapToDouble(x -> x).average().orElseThrow())
        .isLessThan(losses.get(0) - 0.1);
    Clicks later = log.clicks(TRAINING, 20_000);
    TrainedRows rows = trainer.rows();
    FmExample example = new FmExample(rows.values(), rows.dim(), later.fields());
    double best = 0;
    double learnt = 0;
    for (int i = 0; i < later.count(); i++) {
      int label = later.clicked()[i] ? 1 : 0;
      long[] features = features(later, i);
      example.read(field -> (int) features[field], log.features() * rows.dim());
      learnt += Logistic.loss(example.score(), label) / later.count();
      double truth = log.probability(features);
      best -= Math.log(label == 1 ? truth : 1 - truth) / later.count();
    }
    assertThat(best).isBetween(0.3, 0.6);
    assertThat(learnt).isBetween(best - 0.001, best + 0.01);
  }

  private double probability(Clicks clicks, int example) {
    return log.probability(features(clicks, example));
  }

  private static long[] features(Clicks clicks, int example) {
    int first = example * clicks.fields();
    return Arrays.copyOfRange(clicks.features(), first, first + clicks.fields());
  }
}
