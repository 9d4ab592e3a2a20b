/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SuiteReportTest {
  private static final String XEON = "Intel Xeon";
  private static final String EPYC = "AMD EPYC";

  @TempDir private Path directory;

  @Test
  void aReportIsReadAsItWasWritten() throws IOException {
    SuiteReport report = report(XEON, "A", "B");
    report.write(directory);
    assertThat(SuiteReport.read("spark", directory)).isEqualTo(report);
    assertThat(directory.resolve("spark.svg")).exists();
  }

  @Test
  void aFloorIsAShareOfThePeersTime() throws IOException {
    SuiteReport report = report(XEON, "A", "B").with(withFloor(0.5));
    report.write(directory);
    assertThat(SuiteReport.read("spark", directory)).isEqualTo(report);
    assertThat(page().filter(row -> row.startsWith("| A: x ") || row.startsWith("| B: x ")))
        .containsExactly(
            "| A: x | 2 | Intel Xeon | 1.00 ms | 2.00 ms | join | 0.50 | 0.40 | 0.25 | not met | 10 % |",
            "| B: x | 2 | Intel Xeon | 1.00 ms | 2.00 ms | join | 0.50 | 0.40 | | not met | 10 % |");
    assertThat(page()).anyMatch(row -> row.startsWith("*Floor*: "));
  }

  @Test
  void reportsWithoutFloorsAreAsBefore() throws IOException {
    report(XEON, "A").write(directory);
    assertThat(directory.resolve("spark.json")).content().doesNotContain("floor");
    assertThat(page()).noneMatch(row -> row.toLowerCase(Locale.ROOT).contains("floor"));
    assertThat(RunComparison.lines(directory.resolve("spark.json")).get(0).hasFloor()).isFalse();
  }

  @Test
  void aReportWithoutTimesHasNoChart() throws IOException {
    Line heap = new Line("A/heap: x", 2, 1, 2, "join", 0.5, 1, "MB", 0, XEON, 0);
    Median median = new Median("A/heap", 2, XEON, "join", "2.00 MB");
    SuiteReport report =
        new SuiteReport("memory", "AMD EPYC.\nSpark.", List.of(heap), List.of(median));
    report.write(directory);
    assertThat(SuiteReport.read("memory", directory)).isEqualTo(report);
    assertThat(directory.resolve("memory.svg")).doesNotExist();
  }

  @Test
  void resultsAreMergedIntoThoseOfTheDirectoryOrAreTheFirst() throws IOException {
    SuiteReport first = report(XEON, "A").mergedInto(directory);
    assertThat(first).isEqualTo(report(XEON, "A"));
    first.write(directory);
    assertThat(works(report(XEON, "B").mergedInto(directory)))
        .containsExactly("A " + XEON, "B " + XEON);
  }

  @Test
  void laterResultsOfTheSameProcessorReplaceEarlierOnes() {
    SuiteReport all = report(XEON, "A", "B").with(report(XEON, "A"));
    assertThat(works(all)).containsExactly("A " + XEON, "B " + XEON);
    assertThat(all.medians()).hasSize(2);
    assertThat(all.heading()).contains("Re-measured: A. Intel(R) Xeon(R) Processor, 2 cores");
  }

  @Test
  void resultsOfAnotherProcessorStayBesideLaterOnes() {
    SuiteReport all = report(XEON, "A", "B").with(report(EPYC, "A")).with(report(EPYC, "A"));
    assertThat(works(all)).containsExactly("A " + XEON, "A " + EPYC, "B " + XEON);
    assertThat(all.medians()).extracting(Median::processor).containsExactly(XEON, EPYC, XEON);
    assertThat(all.heading().split("Re-measured: A", -1)).hasSize(2);
  }

  @Test
  void theHeadingForgetsRunsOfTheSameProcessorOnly() {
    SuiteReport all =
        report(XEON, "A")
            .with(report(XEON, "B"))
            .with(report(EPYC, "B", "C"))
            .with(report(EPYC, "B"));
    assertThat(all.heading().lines().filter(line -> line.startsWith("Re-measured")))
        .containsExactly(
            "Re-measured: B. Intel(R) Xeon(R) Processor, 2 cores.",
            "Re-measured: C. AMD EPYC, 2 cores.",
            "Re-measured: B. AMD EPYC, 2 cores.");
  }

  @Test
  void thePageShowsEveryChart() throws IOException {
    report(XEON, "A", "B").write(directory);
    assertThat(Files.readString(directory.resolve("spark.md"))).contains("](spark.svg)");
  }

  @Test
  void processorsAreNamedWithoutMarks() {
    assertThat(Machine.processor("Intel(R) Xeon(R) Processor, 2 cores, 25 GB")).isEqualTo(XEON);
    assertThat(Machine.processor("Intel(R) Xeon(R) CPU E5-2680 v4 @ 2.40GHz")).isEqualTo(XEON);
    assertThat(Machine.processor("AMD EPYC, 2 cores")).isEqualTo(EPYC);
  }

  private static Stream<String> works(SuiteReport report) {
    return report.lines().stream().map(line -> line.shortName() + " " + line.processor());
  }

  private Stream<String> page() throws IOException {
    return Files.readString(directory.resolve("spark.md")).lines();
  }

  private static SuiteReport withFloor(double floor) {
    Line line = new Line("A: x", 2, 1, 2, "join", 0.5, 0.4, "ms", 0.1, XEON, floor);
    Median median = new Median("A", 2, XEON, "scan (other work)", "0.50 ms");
    return new SuiteReport("spark", "Intel(R) Xeon(R) CPU.", List.of(line), List.of(median));
  }

  private static SuiteReport report(String processor, String... works) {
    String model = processor.equals(XEON) ? "Intel(R) Xeon(R) Processor" : processor;
    return new SuiteReport(
        "spark",
        model + ", 2 cores.\nSpark; a full run.",
        Stream.of(works)
            .map(work -> new Line(work + ": x", 2, 1, 2, "join", 0.5, 0.4, "ms", 0.1, processor, 0))
            .toList(),
        Stream.of(works).map(work -> new Median(work, 2, processor, "join", "2.00 ms")).toList());
  }
}
