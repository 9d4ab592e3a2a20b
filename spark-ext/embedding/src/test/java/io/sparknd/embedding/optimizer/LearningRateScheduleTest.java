/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.optimizer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.sparknd.tensor.SparkNdException;
import org.junit.jupiter.api.Test;

/** Tests learning rate schedules. */
class LearningRateScheduleTest {
  private static final long FAR = Long.MAX_VALUE;

  @Test
  void constantRateDoesNotChange() {
    assertThat(LearningRateSchedule.constant(0.1).rate(0)).isEqualTo(0.1);
    assertThat(LearningRateSchedule.constant(0.1).rate(FAR)).isEqualTo(0.1);
  }

  @Test
  void warmUpEndsWhereTheNextBegins() {
    LearningRateSchedule schedule =
        LearningRateSchedule.warmUp(0, 4, LearningRateSchedule.exponentialDecay(1, 2, 0.25));
    assertRates(schedule, 0, 0.25, 0.5, 0.75, 1, 0.5, 0.25, 0.125);
  }

  @Test
  void warmUpMayDecrease() {
    assertRates(
        LearningRateSchedule.warmUp(1, 2, LearningRateSchedule.constant(0.5)), 1, 0.75, 0.5, 0.5);
  }

  @Test
  void exponentialDecayMultipliesByItsFactorInItsSteps() {
    assertRates(LearningRateSchedule.exponentialDecay(8, 1, 0.5), 8, 4, 2, 1);
    assertThat(LearningRateSchedule.exponentialDecay(1, 10, 0.5).rate(5))
        .isCloseTo(Math.sqrt(0.5), within(1e-15));
    assertThat(LearningRateSchedule.exponentialDecay(1, 10, 0.5).rate(FAR)).isZero();
  }

  @Test
  void inverseTimeDecayHalvesWhereItsFactorIsOne() {
    assertRates(LearningRateSchedule.inverseTimeDecay(1, 2, 1), 1, 1 / 1.5, 0.5, 1 / 2.5);
    assertThat(LearningRateSchedule.inverseTimeDecay(1, 1, 0).rate(FAR)).isEqualTo(1);
  }

  @Test
  void cosineDecayEndsAtAlpha() {
    LearningRateSchedule schedule = LearningRateSchedule.cosineDecay(2, 4, 0.5);
    assertThat(schedule.rate(0)).isEqualTo(2);
    assertThat(schedule.rate(2)).isCloseTo(1.5, within(1e-15));
    assertThat(schedule.rate(4)).isEqualTo(1);
    assertThat(schedule.rate(FAR)).isEqualTo(1);
    assertThat(LearningRateSchedule.cosineDecay(2, 4, 0).rate(4)).isZero();
  }

  @Test
  void aScheduleMayBeginLater() {
    LearningRateSchedule decay = LearningRateSchedule.exponentialDecay(1, 1, 0.5);
    assertRates(LearningRateSchedule.startingAt(2, decay), 1, 1, 1, 0.5, 0.25);
    assertRates(LearningRateSchedule.startingAt(0, decay), 1, 0.5, 0.25);
    assertThat(LearningRateSchedule.startingAt(FAR, decay).rate(FAR)).isEqualTo(1);
    assertThatThrownBy(() -> LearningRateSchedule.startingAt(-1, decay))
        .isInstanceOf(SparkNdException.class)
        .hasMessageContaining("first step");
  }

  @Test
  void rateIsConstantWithinAnEpoch() {
    LearningRateSchedule decay = LearningRateSchedule.exponentialDecay(1, 1, 0.5);
    assertRates(LearningRateSchedule.perEpoch(3, decay), 1, 1, 1, 0.5, 0.5, 0.5, 0.25);
    assertThat(LearningRateSchedule.perEpoch(FAR, decay).rate(FAR - 1)).isEqualTo(1);
    assertThatThrownBy(() -> LearningRateSchedule.perEpoch(0, decay))
        .isInstanceOf(SparkNdException.class)
        .hasMessageContaining("an epoch has 0 steps");
  }

  @Test
  void boundariesAreInclusive() {
    LearningRateSchedule schedule =
        LearningRateSchedule.piecewiseConstant(
            new long[] {0, 2, 3}, new double[] {1, 0.5, 0.25, 0});
    assertRates(schedule, 1, 0.5, 0.5, 0.25, 0, 0);
    assertThat(LearningRateSchedule.piecewiseConstant(new long[0], new double[] {3}).rate(FAR))
        .isEqualTo(3);
  }

  private static void assertRates(LearningRateSchedule schedule, double... rates) {
    for (int step = 0; step < rates.length; step++) {
      assertThat(schedule.rate(step)).as("step %d", step).isEqualTo(rates[step]);
    }
  }

  @Test
  void badNumbersAreRefused() {
    LearningRateSchedule one = LearningRateSchedule.constant(1);
    assertRefused(
        () -> LearningRateSchedule.constant(-1), "learning rate is -1.0; it must be above 0");
    assertRefused(() -> LearningRateSchedule.warmUp(-1, 1, one), "learning rate is -1.0");
    assertRefused(
        () -> LearningRateSchedule.warmUp(0, 0, one), "warm-up has 0 steps; it needs at least 1");
    assertRefused(() -> LearningRateSchedule.exponentialDecay(0, 1, 1), "learning rate is 0.0");
    assertRefused(
        () -> LearningRateSchedule.exponentialDecay(1, -2, 1), "exponential decay has -2 steps");
    assertRefused(
        () -> LearningRateSchedule.exponentialDecay(1, 1, 0),
        "factor of exponential decay is 0.0; it must be");
    assertRefused(() -> LearningRateSchedule.inverseTimeDecay(0, 1, 1), "learning rate is 0.0");
    assertRefused(
        () -> LearningRateSchedule.inverseTimeDecay(1, 0, 1), "inverse-time decay has 0 steps");
    assertRefused(
        () -> LearningRateSchedule.inverseTimeDecay(1, 1, -1),
        "factor of inverse-time decay is -1.0");
    assertRefused(() -> LearningRateSchedule.cosineDecay(Double.NaN, 1, 1), "learning rate is NaN");
    assertRefused(() -> LearningRateSchedule.cosineDecay(1, 0, 1), "cosine decay has 0 steps");
    assertRefused(
        () -> LearningRateSchedule.cosineDecay(1, 1, -1), "alpha of cosine decay is -1.0");
  }

  @Test
  void boundariesMustFitTheirRates() {
    assertRefused(
        () -> LearningRateSchedule.piecewiseConstant(new long[] {1}, new double[] {1}),
        "1 learning rates with boundaries [1]");
    assertRefused(
        () -> LearningRateSchedule.piecewiseConstant(new long[] {5, 5}, new double[] {1, 1, 1}),
        "3 learning rates with boundaries [5, 5]");
    assertRefused(
        () -> LearningRateSchedule.piecewiseConstant(new long[] {-1}, new double[] {1, 1}),
        "2 learning rates with boundaries [-1]");
    assertRefused(
        () -> LearningRateSchedule.piecewiseConstant(new long[] {1}, new double[] {1, -1}),
        "learning rate is -1.0");
  }

  private static void assertRefused(Runnable call, String message) {
    assertThatThrownBy(call::run)
        .isInstanceOf(SparkNdException.class)
        .hasMessageStartingWith(message);
  }
}
