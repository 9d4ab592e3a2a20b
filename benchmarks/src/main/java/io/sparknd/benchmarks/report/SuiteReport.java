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
 * The files that a suite leaves in {@code docs/benchmarks}.
 *
 * @param suite name of the suite and of its files
 * @param heading on what machine and how the run was made, in Markdown
 * @param lines in the order of the table
 * @param medians of everyone
 */
public record SuiteReport(String suite, String heading, List<Line> lines, List<Median> medians) {
  private static final ObjectMapper MAPPER =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

  private static final String AGAIN = "Measured again, without the rest: ";

  private static final String EVERYONE =
      "| work | threads | who | median |\n| --- | --- | --- | --- |\n";

  public SuiteReport {
    lines = List.copyOf(lines);
    medians = List.copyOf(medians);
  }

  /**
   * The report of a run on this machine.
   *
   * @param heading how the run was made, in Markdown
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

  /** The report that {@link #write} left in {@code directory}. */
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

  /** This report with the work that {@code later} has done again, which its heading names. */
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

  /** Without what of the work is measured, which comes after a slash. */
  private static String work(Line line) {
    return line.shortName().split("/", 2)[0];
  }

  /** What is said of runs before, less those of which nothing stands any more. */
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
   * The new ones stand where the first of the old ones stood that they replace, else at the end.
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
    text.append(
        "\n## Everyone\n\nMedian of the rounds; a wrong answer is never compared with.\n\n");
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
