/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.report;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparknd.benchmarks.report.LineComparison.Verdict;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RunComparisonTest {
  private static final String PEER = "max_by + left join";

  @Test
  void aRatioWithinTheLargerSpreadIsNoDifference() {
    assertThat(verdict(ratio(0.30, 0.05), ratio(0.34, 0.15))).isEqualTo(Verdict.WITHIN_SPREAD);
    assertThat(verdict(ratio(0.30, 0.15), ratio(0.34, 0.05))).isEqualTo(Verdict.WITHIN_SPREAD);
  }

  @Test
  void aRatioBeyondBothSpreadsIsADifference() {
    assertThat(verdict(ratio(0.30, 0.05), ratio(0.34, 0.10))).isEqualTo(Verdict.WORSE);
    assertThat(verdict(ratio(0.34, 0.05), ratio(0.30, 0.10))).isEqualTo(Verdict.BETTER);
  }

  @Test
  void besideAnotherPeerOurTimesAreCompared() {
    Line before = line("A: update", 100, 1000, PEER, "ms", 0.05);
    Line after = line("A: update", 101, 200, "row_number", "ms", 0.05);
    LineComparison pair = new LineComparison(before, after);
    assertThat(pair.verdict()).isEqualTo(Verdict.WITHIN_SPREAD);
    assertThat(pair.words())
        .isEqualTo("within the spread; best peer was " + PEER + ", is row_number");
    assertThat(pair.value(after)).isEqualTo("101.0 ms");
  }

  @Test
  void timesWithoutSpreadWereMeasuredOnce() {
    assertThat(verdict(ratio(0.30, 0), ratio(0.60, 0.1))).isEqualTo(Verdict.MEASURED_ONCE);
  }

  @Test
  void bytesHaveNoSpreadAndDifferByMoreThanOnePercent() {
    Line before = line("A/read: bytes read", 100, 100, PEER, "MB", 0);
    assertThat(verdict(before, line("A/read: bytes read", 100.9, 100, PEER, "MB", 0)))
        .isEqualTo(Verdict.WITHIN_SPREAD);
    LineComparison more =
        new LineComparison(before, line("A/read: bytes read", 102, 100, PEER, "MB", 0));
    assertThat(more.words()).isEqualTo("more");
  }

  @Test
  void workOfAnotherSizeIsNotCompared() {
    assertThat(
            verdict(
                line("F: exchange 2,000,000 updates", 100, 100, PEER, "ms", 0.1),
                line("F: exchange 400,000 updates", 900, 100, PEER, "ms", 0.1)))
        .isEqualTo(Verdict.OTHER_WORK);
  }

  @Test
  void onlyALossBeyondTheSpreadMakesTheRunWorse() {
    Line before = ratio(0.30, 0.05);
    assertThat(RunComparison.of(List.of(before), List.of(ratio(0.40, 0.05))).isWorse()).isTrue();
    assertThat(RunComparison.of(List.of(before), List.of(ratio(0.20, 0.05))).isWorse()).isFalse();
    assertThat(RunComparison.of(List.of(before), List.of()).isWorse()).isFalse();
  }

  @Test
  void runsThatShareNoWorkAreNotCompared() {
    Line line = ratio(0.30, 0.05);
    Line other = line("B: add", 100, 1000, PEER, "ms", 0.05);
    assertThat(RunComparison.of(List.of(line), List.of(line)).status()).isZero();
    assertThat(RunComparison.of(List.of(line), List.of(ratio(0.40, 0.05))).status()).isEqualTo(1);
    assertThat(RunComparison.of(List.of(line), List.of(other)).status()).isEqualTo(2);
    assertThat(RunComparison.of(List.of(), List.of()).status()).isEqualTo(2);
    Line once = ratio(0.40, 0);
    assertThat(RunComparison.of(List.of(once), List.of(once)).status()).isEqualTo(2);
  }

  @Test
  void aFileThatIsNoReportIsNamed(@TempDir Path directory) throws IOException {
    Path page = Files.writeString(directory.resolve("spark.md"), "# Benchmark suite: spark");
    assertThatThrownBy(() -> RunComparison.lines(page))
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith(page + " is no report of benchmarks/run, SUITE.json: ");
    for (String json : List.of("null", "[{}]", "[null]")) {
      Files.writeString(page, json);
      assertThatThrownBy(() -> RunComparison.lines(page))
          .as(json)
          .isInstanceOf(IOException.class)
          .hasMessageContaining("is no report");
    }
    Path none = directory.resolve("spark.json");
    assertThatThrownBy(() -> RunComparison.lines(none))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(none.toString());
  }

  /** An unreadable report must not look like a loss, whose status is 1. */
  @ParameterizedTest
  @ValueSource(strings = {"compare", "compare one.json", "compare none.json none.json"})
  void theCommandFailsWithoutTwoReports(String arguments) throws Exception {
    List<String> command = new ArrayList<>(List.of("./run"));
    command.addAll(List.of(arguments.split(" ")));
    Process run = new ProcessBuilder(command).redirectErrorStream(true).start();
    assertThat(new String(run.getInputStream().readAllBytes(), UTF_8)).isNotEmpty();
    assertThat(run.waitFor()).isEqualTo(2);
  }

  @Test
  void theTableNamesDifferencesAndWhatHasNoCounterpart() {
    Line gone = line("C1: gather", 50, 100, PEER, "ms", 0.1);
    String table =
        RunComparison.of(List.of(ratio(0.30, 0.05), gone), List.of(ratio(0.45, 0.05))).table();
    assertThat(table.lines().skip(1))
        .containsExactly(
            "A, AMD EPYC                                    2          0.30          0.45    +50 %"
                + "     5 %  slower",
            "C1, AMD EPYC, threads: 2, only before",
            "1 worse, 0 better, 0 within the spread, 1 not compared");
  }

  @Test
  void linesOfOtherProcessorsAreNotCompared() {
    Line xeon = new Line("A: update", 2, 100, 200, PEER, 0.5, 0.4, "ms", 0.1, "Intel Xeon", 0);
    RunComparison comparison = RunComparison.of(List.of(xeon), List.of(ratio(0.30, 0.05)));
    assertThat(comparison.pairs()).isEmpty();
    assertThat(comparison.alone()).hasSize(2);
  }

  @Test
  void anOldReportDoesNotNameItsProcessor() {
    Line old = new Line("A: update", 2, 300, 1000, PEER, 0.3, 0.4, "ms", 0.05, "", 0);
    assertThat(RunComparison.of(List.of(old), List.of(ratio(0.4, 0.05))).isWorse()).isTrue();
  }

  private static Verdict verdict(Line before, Line after) {
    return new LineComparison(before, after).verdict();
  }

  private static Line ratio(double ratio, double spread) {
    return line("A: update", 1000 * ratio, 1000, PEER, "ms", spread);
  }

  private static Line line(
      String name, double ours, double peer, String peerName, String unit, double spread) {
    return new Line(name, 2, ours, peer, peerName, ours / peer, 0.4, unit, spread, "AMD EPYC", 0);
  }
}
