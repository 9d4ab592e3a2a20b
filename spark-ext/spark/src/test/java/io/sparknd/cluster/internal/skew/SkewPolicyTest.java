/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.skew;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.LocalSpark;
import io.sparknd.tensor.DType;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tests when hot slices are split, and which slices those are. */
class SkewPolicyTest {
  private static final long MEGABYTE = 1 << 20;

  private static boolean pays(int cores, long all, long most, long again) {
    SkewPolicy auto = new SkewPolicy(SkewPolicy.AUTO, cores);
    return auto.pays(all * MEGABYTE, most * MEGABYTE, 0, again * MEGABYTE);
  }

  @Test
  void splittingDoesNotPayWithFewCores() {
    assertThat(pays(64, 2600, 1000, 1800)).isTrue();
    assertThat(pays(4, 2600, 1000, 1800)).isFalse();
    assertThat(new SkewPolicy(SkewPolicy.AUTO, 4).mayPay(64, Long.MAX_VALUE)).isFalse();
    assertThat(new SkewPolicy(SkewPolicy.AUTO, 64).mayPay(64, Long.MAX_VALUE)).isTrue();
  }

  @Test
  void splittingDoesNotPayForLittleData() {
    assertThat(pays(64, 26, 20, 20)).isFalse();
    assertThat(new SkewPolicy(SkewPolicy.AUTO, 64).mayPay(64, MEGABYTE)).isFalse();
  }

  @Test
  void sessionSettingDecides() {
    assertThat(SkewPolicy.of(LocalSpark.session()).bytes()).isEqualTo(SkewPolicy.AUTO);
    LocalSpark.session().conf().set("spark.sparknd.skewBytes", "2m");
    try {
      SkewPolicy policy = SkewPolicy.of(LocalSpark.session());
      assertThat(policy.bytes()).isEqualTo(2 * MEGABYTE);
      assertThat(policy.pays(9 * MEGABYTE, 4 * MEGABYTE, MEGABYTE, 0)).isTrue();
      assertThat(policy.pays(9 * MEGABYTE, 2 * MEGABYTE, MEGABYTE, 0)).isFalse();
      assertThat(policy.mayPay(3, MEGABYTE)).isFalse();
    } finally {
      LocalSpark.session().conf().unset("spark.sparknd.skewBytes");
    }
  }

  /** Pieces 0 to 9 of partition 1 get a thousand additional updates each. */
  @Test
  void sampleFindsHeavyHitters() {
    HeavyHitterSample sample = new HeavyHitterSample(3);
    for (int batch = 0; batch < 1000; batch++) {
      int first = batch * 10;
      long[] cold = IntStream.range(0, 10).mapToLong(i -> 100 + first + i).toArray();
      sample.observe(0, cold, 10);
      sample.observe(1, cold, 10);
      sample.observe(1, IntStream.range(0, 10).mapToLong(i -> i).toArray(), 10);
      sample.observe(2, cold, 10);
    }
    PartitionLoad heat = PartitionLoad.of(3, List.of(sample.sample(0)));
    assertThat(heat.updates()).containsExactly(10_000, 20_000, 10_000);
    List<HeavyHitter> hot = heat.hot(new SkewPolicy(1, 2), 8);
    assertThat(hot).hasSizeBetween(6, 9);
    assertThat(hot).allMatch(piece -> piece.owner() == 1 && piece.local() < 10);
    assertThat(hot).allMatch(piece -> piece.weight() > 500 && piece.weight() < 2000);
  }

  @Test
  void partsOfHotSlicesAreSpreadOverTasks() {
    List<HeavyHitter> hot =
        List.of(
            new HeavyHitter(5, 1, 6000), new HeavyHitter(2, 9, 1000), new HeavyHitter(2, 4, 1000));
    SkewSplitPlan cuts = SkewSplitPlan.of(hot, DType.COMPLEX64, 24, 4);
    assertThat(cuts.owners()).containsExactly(2, 5);
    assertThat(cuts.piece(cuts.firstPiece(2), cuts.endPiece(2), 9)).isEqualTo(1);
    assertThat(cuts.piece(cuts.firstPiece(2), cuts.endPiece(2), 1)).isNegative();
    assertThat(cuts.firstPiece(3)).isEqualTo(cuts.endPiece(3));
    assertThat(IntStream.range(0, 3).map(cuts::parts)).containsExactly(1, 1, 3);
    assertThat(cuts.kinds()).isEqualTo(2);
    assertThat(cuts.width(0)).isEqualTo(8);
    assertThat(cuts.firstUnit(cuts.firstCut(2) + 1)).isEqualTo(2 * 24 + 8);
    assertThat(IntStream.range(0, 3).map(part -> cuts.task(cuts.firstCut(2) + part)).distinct())
        .hasSize(3);
  }
}
