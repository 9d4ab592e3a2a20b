/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cli.chart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the axes of charts. */
class AxisScaleTest {
  @ParameterizedTest
  @CsvSource({
    "0, 1, 0 0.2 0.4 0.6 0.8 1",
    "-3, 12, -2 0 2 4 6 8 10 12",
    "0, 250000, 0 50000 100000 150000 200000 250000",
    "0.6931, 0.6934, 0.6931 0.69315 0.6932 0.69325 0.6933 0.69335 0.6934",
    "0, 4e-9, 0 1E-9 2E-9 3E-9 4E-9",
    "0, 3e12, 0 5E+11 1E+12 1.5E+12 2E+12 2.5E+12 3E+12",
  })
  void ticksAreRound(double least, double most, String ticks) {
    AxisScale scale = AxisScale.of(List.of(least, most), 0, 100);

    assertThat(scale.ticks()).extracting(AxisScale::text).containsExactly(ticks.split(" "));
  }

  @Test
  void numbersWithoutAPlaceDoNotCount() {
    List<Double> numbers =
        List.of(2.0, Double.NaN, Double.POSITIVE_INFINITY, -Double.MAX_VALUE, 4.0);

    assertThat(AxisScale.of(numbers, 0, 100)).isEqualTo(AxisScale.of(List.of(2.0, 4.0), 0, 100));
    assertThat(AxisScale.of(List.of(Double.NaN), 0, 100)).isEqualTo(new AxisScale(0, 1, 0, 100));
  }

  @Test
  void numbersAreBetweenTheEnds() {
    AxisScale scale = AxisScale.of(List.of(1.0, 3.0), 400, 50);

    assertThat(scale.at(2)).isCloseTo(225, within(1e-9));
    assertThat(DoubleStream.of(1, 3).map(scale::at)).allMatch(at -> at > 50 && at < 400);
  }

  @ParameterizedTest
  @CsvSource({"0", "7", "-0.25", "1e300", "-1e300", "1e-300"})
  void equalNumbersAreInTheMiddle(double number) {
    AxisScale scale = AxisScale.of(List.of(number, number), 0, 100);

    assertThat(scale.at(number)).isCloseTo(50, within(1e-9));
    assertThat(scale.ticks()).hasSizeBetween(3, 10);
  }

  @ParameterizedTest
  @CsvSource({"0, 4.9e-324", "0, 2.3e-308", "-4e307, 4e307", "1e300, 1.0000000000000002e300"})
  void ticksOfExtremeRangesAreFew(double least, double most) {
    assertThat(AxisScale.of(List.of(least, most), 0, 100).ticks()).hasSizeBetween(1, 10);
  }
}
