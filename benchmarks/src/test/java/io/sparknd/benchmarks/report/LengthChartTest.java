/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LengthChartTest {
  private static final String EPYC = "AMD EPYC";

  @TempDir private Path directory;

  @Test
  void benchmarksThatDifferInTheLengthAreACurve() {
    LengthChart chart = only(medians("SparkND", 16, 20, 64, 40, 32, 30));
    assertThat(chart.work()).isEqualTo("add-float32");
    assertThat(chart.curves())
        .singleElement()
        .extracting(LengthCurve::points)
        .isEqualTo(
            List.of(
                new LengthCurve.Point(16, 20),
                new LengthCurve.Point(32, 30),
                new LengthCurve.Point(64, 40)));
    assertThat(chart.file()).isEqualTo("kernel-rows-add-float32-amd-epyc-1.svg");
  }

  @Test
  void twoLengthsAreNoCurve() {
    assertThat(LengthChart.of("kernel-rows", medians("SparkND", 16, 20, 64, 40))).isEmpty();
  }

  @Test
  void wrongResultsAreNotDrawn() {
    List<Median> medians =
        Stream.of("SparkND", "loop (WRONG ANSWER)", "copy (other work)")
            .flatMap(who -> medians(who, 16, 20, 32, 30, 64, 40).stream())
            .toList();
    assertThat(only(medians).curves())
        .extracting(LengthCurve::who)
        .containsExactly("SparkND", "copy (other work)");
  }

  @Test
  void aLongerRowThatCostsMoreAnElementIsACliff() {
    assertThat(cliffs(64, 32, 65, 50, 128, 97))
        .containsExactly(new LengthCliff("SparkND", 65, 64, 50 / 65.0 * 2));
  }

  @Test
  void aShorterRowThatCostsMoreThanALongerOneIsACliff() {
    assertThat(cliffs(32, 25, 63, 61, 64, 40))
        .containsExactly(new LengthCliff("SparkND", 63, 64, 61 / 40.0));
  }

  @Test
  void fixedCostsOfARowAreNoCliff() {
    assertThat(cliffs(16, 20, 32, 21, 64, 23, 128, 40)).isEmpty();
  }

  @Test
  void theHighestPointIsInsideTheDrawing() {
    String svg = only(medians("SparkND", 16, 17.3, 32, 30, 64, 40)).svg();
    assertThat(svg).contains("<polyline class=\"p0\" points=\"42.0,").doesNotContain("NaN");
    assertThat(svg).contains(">16</text>").contains(">64</text>").contains(">SparkND</text>");
  }

  @Test
  void theReportHasCurvesInPlaceOfBarsAndSaysWhereCliffsAre() throws IOException {
    List<Line> lines =
        Stream.concat(
                IntStream.of(16, 32, 64).mapToObj(length -> line("add-float32-x" + length)),
                Stream.of(line("add-int8-x64")))
            .toList();
    List<Median> medians = medians("SparkND", 16, 20, 32, 90, 64, 95);
    SuiteReport report = new SuiteReport("kernel-rows", EPYC + ".\nRows.", lines, medians);
    report.write(directory);
    assertThat(Files.readString(directory.resolve("kernel-rows.md")))
        .contains("](kernel-rows-add-float32-amd-epyc-1.svg)")
        .contains("| add-float32 | 1 | AMD EPYC | SparkND | 32 | 16 | 2.25 |");
    assertThat(Files.readString(directory.resolve("kernel-rows.svg")))
        .contains("add-int8-x64")
        .doesNotContain("add-float32");
    assertThat(SuiteReport.read("kernel-rows", directory)).isEqualTo(report);
  }

  private static Line line(String work) {
    return new Line(work + ": add", 1, 1, 2, "loop", 0.5, 1, "ns/update", 0.1, EPYC, 0);
  }

  private static List<LengthCliff> cliffs(double... pairs) {
    return LengthCliff.of(only(medians("SparkND", pairs)).curves().get(0));
  }

  private static LengthChart only(List<Median> medians) {
    List<LengthChart> charts = LengthChart.of("kernel-rows", medians);
    assertThat(charts).hasSize(1);
    return charts.get(0);
  }

  /** Medians of lengths, each followed by the time of a row. */
  private static List<Median> medians(String who, double... pairs) {
    return IntStream.range(0, pairs.length / 2)
        .mapToObj(
            i ->
                new Median(
                    "add-float32-x" + (int) pairs[2 * i],
                    1,
                    EPYC,
                    who,
                    Median.time(pairs[2 * i + 1], "ns/update")))
        .toList();
  }
}
