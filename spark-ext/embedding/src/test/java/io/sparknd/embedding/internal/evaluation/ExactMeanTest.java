/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.evaluation;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.util.SplittableRandom;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** Tests exact sums against BigDecimal. */
class ExactMeanTest {
  private static ExactMean of(double... values) {
    ExactMean mean = new ExactMean();
    for (double value : values) {
      mean.add(value);
    }
    return mean;
  }

  @Property(tries = 300)
  void sumIsRoundedOnceInEveryGrouping(@ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    double[] values = new double[1 + random.nextInt(20)];
    BigDecimal sum = BigDecimal.ZERO;
    ExactMean grouped = new ExactMean();
    for (int i = 0; i < values.length; i++) {
      values[i] = Math.scalb(random.nextDouble(-1, 1), random.nextInt(-1080, 1000));
      sum = sum.add(new BigDecimal(values[i]));
      grouped = random.nextBoolean() ? grouped.and(of(values[i])) : of(values[i]).and(grouped);
    }
    double expected = sum.doubleValue() / values.length;
    assertThat(of(values).mean()).isEqualTo(expected);
    assertThat(grouped.mean()).isEqualTo(expected);
    assertThat(grouped.count()).isEqualTo(values.length);
  }

  @Example
  void extremesCancel() {
    assertThat(of(Double.MAX_VALUE, 1e-300, -Double.MAX_VALUE, Double.MIN_VALUE).mean())
        .isEqualTo(1e-300 / 4);
    assertThat(of(Double.MAX_VALUE, Double.MAX_VALUE).mean()).isInfinite();
    assertThat(of(1, Double.POSITIVE_INFINITY).mean()).isInfinite();
    assertThat(of(Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY).mean()).isNaN();
    assertThat(new ExactMean().mean()).isNaN();
  }
}
