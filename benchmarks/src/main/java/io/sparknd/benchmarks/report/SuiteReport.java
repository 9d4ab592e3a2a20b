/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.report;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.BiPredicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The report of a suite; its files are in {@code docs/benchmarks}.
 *
 * @param suite the name of the suite and of its files
 * @param heading the machine and the settings of the run, in Markdown
 * @param lines the lines in the order of the table
 * @param medians the medians of all peers
 */
public record SuiteReport(String suite, String heading, List<Line> lines, List<Median> medians) {
  private static final ObjectMapper MAPPER =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

  private static final String AGAIN = "Re-measured: ";

  private static final String EVERYONE =
      "| work | threads | peer | median |\n| --- | --- | --- | --- |\n";

  public SuiteReport {
    lines = List.copyOf(lines);
    medians = List.copyOf(medians);
  }

  /**
   * Returns the report of a run on this machine.
   *
   * @param heading the settings of the run, in Markdown
   */
  public static SuiteReport of(String suite, String heading, List<WorkComparison> comparisons)
      throws IOException {
    return new SuiteReport(
        suite,
        Machine.describe() + ".\n" + heading,
        comparisons.stream().map(WorkComparison::line).toList(),
        comparisons.stream()
            .flatMap(work -> work.results().stream().map(who -> Median.of(work, who)))
            .toList());
  }

  /** Reads a report that {@link #write} wrote to {@code directory}. */
  public static SuiteReport read(String suite, Path directory) throws IOException {
    Line[] lines = MAPPER.readValue(directory.resolve(suite + ".json").toFile(), Line[].class);
    String text = Files.readString(directory.resolve(suite + ".md"));
    int heading = text.indexOf("\n\n") + 2;
    int everyone = text.indexOf(EVERYONE) + EVERYONE.length();
    return new SuiteReport(
        suite,
        text.substring(heading, text.indexOf("\n\n!", heading)),
        List.of(lines),
        text.substring(everyone).lines().map(Median::parse).toList());
  }

  /**
   * Returns this report with the benchmarks of {@code later} replaced or added; the heading names
   * them.
   */
  public SuiteReport with(SuiteReport later) {
    List<String> names = later.lines.stream().map(SuiteReport::work).distinct().toList();
    return new SuiteReport(
        suite,
        headingWithout(names) + "\n\n" + AGAIN + String.join(", ", names) + ". " + later.heading,
        replaced(lines, later.lines, Line::isSameWork),
        replaced(
            medians,
            later.medians,
            (a, b) -> a.work().equals(b.work()) && a.threads() == b.threads()));
  }

  /** Returns the name of the benchmark without the measured quantity, which follows a slash. */
  private static String work(Line line) {
    return line.shortName().split("/", 2)[0];
  }

  /** Returns the heading without the runs whose results are all replaced. */
  private String headingWithout(List<String> names) {
    return Stream.of(heading.split("\n\n"))
        .map(paragraph -> paragraphWithout(names, paragraph))
        .filter(paragraph -> !paragraph.isEmpty())
        .collect(Collectors.joining("\n\n"));
  }

  private static String paragraphWithout(List<String> names, String paragraph) {
    if (!paragraph.startsWith(AGAIN)) {
      return paragraph;
    }
    int end = paragraph.indexOf(". ");
    String left =
        Stream.of(paragraph.substring(AGAIN.length(), end).split(", "))
            .filter(name -> !names.contains(name))
            .collect(Collectors.joining(", "));
    return left.isEmpty() ? "" : AGAIN + left + paragraph.substring(end);
  }

  /**
   * Replaces old results by later ones, at the position of the first replaced result; appends the
   * rest.
   */
  private static <T> List<T> replaced(List<T> old, List<T> later, BiPredicate<T, T> same) {
    List<T> all = new ArrayList<>();
    for (T one : old) {
      List<T> instead = later.stream().filter(other -> same.test(one, other)).toList();
      if (instead.isEmpty()) {
        all.add(one);
      } else if (!all.containsAll(instead)) {
        all.addAll(instead);
      }
    }
    later.stream().filter(one -> !all.contains(one)).forEach(all::add);
    return all;
  }

  /** Writes {@code SUITE.md}, {@code SUITE.svg} and {@code SUITE.json}. */
  public void write(Path directory) throws IOException {
    Files.createDirectories(directory);
    Files.writeString(directory.resolve(suite + ".md"), markdown());
    Files.writeString(directory.resolve(suite + ".json"), MAPPER.writeValueAsString(lines) + "\n");
    RatioChart.write(suite, lines, directory.resolve(suite + ".svg"));
  }

  private String markdown() {
    StringBuilder text = new StringBuilder();
    text.append("# Benchmark suite: ").append(suite).append("\n\n");
    text.append(heading).append("\n\n");
    text.append("![ratios](").append(suite).append(".svg)\n\n");
    text.append("| work | threads | ours | best correct peer | peer | ratio | goal | | spread |\n");
    text.append("| --- | --- | --- | --- | --- | --- | --- | --- | --- |\n");
    lines.forEach(line -> text.append(row(line)));
    text.append("\n## All peers\n\nMedian of the rounds. Wrong results are not compared.\n\n");
    text.append(EVERYONE);
    medians.forEach(median -> text.append(median.row()));
    return text.toString();
  }

  private static String row(Line line) {
    return String.format(
        Locale.ROOT,
        "| %s | %d | %s | %s | %s | %.2f | %.2f | %s | %.0f %% |%n",
        line.name(),
        line.threads(),
        Median.time(line.ours(), line.unit()),
        Median.time(line.peer(), line.unit()),
        line.peerName(),
        line.ratio(),
        line.goal(),
        line.met() ? "met" : "not met",
        100 * line.spread());
  }
}
