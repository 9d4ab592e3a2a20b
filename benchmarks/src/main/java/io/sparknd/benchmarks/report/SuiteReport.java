/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.report;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
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
      "| work | threads | processor | peer | median |\n| --- | --- | --- | --- | --- |\n";

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
        text.substring(heading, endOfHeading(text, heading)),
        List.of(lines),
        text.substring(everyone).lines().map(Median::parse).toList());
  }

  /** Charts follow the heading, or the table in a report without times. */
  private static int endOfHeading(String text, int heading) {
    int chart = text.indexOf("\n\n!", heading);
    return chart < 0 ? text.indexOf("\n\n|", heading) : chart;
  }

  /**
   * Returns this report with the benchmarks of {@code later} replaced or added; the heading names
   * them. Results of the same benchmark on another processor stay.
   */
  public SuiteReport with(SuiteReport later) {
    List<String> names = later.lines.stream().map(SuiteReport::work).distinct().toList();
    return new SuiteReport(
        suite,
        headingWithout(names, Machine.processor(later.heading))
            + "\n\n"
            + AGAIN
            + String.join(", ", names)
            + ". "
            + later.heading,
        merged(
            lines, later.lines, line -> List.of(line.shortName(), line.threads()), Line::processor),
        merged(
            medians,
            later.medians,
            median -> List.of(median.work(), median.threads()),
            Median::processor));
  }

  /**
   * Returns the report of this suite in {@code directory} with the benchmarks of this one replaced
   * or added; this one if there is none.
   *
   * @throws IOException if it cannot be read
   */
  public SuiteReport mergedInto(Path directory) throws IOException {
    boolean isFirst = Files.notExists(directory.resolve(suite + ".md"));
    return isFirst ? this : read(suite, directory).with(this);
  }

  /** Returns the name of the benchmark without the measured quantity, which follows a slash. */
  private static String work(Line line) {
    return line.shortName().split("/", 2)[0];
  }

  /** Returns the heading without the runs on a processor whose results are all replaced. */
  private String headingWithout(List<String> names, String processor) {
    return Stream.of(heading.split("\n\n"))
        .map(paragraph -> paragraphWithout(names, processor, paragraph))
        .filter(paragraph -> !paragraph.isEmpty())
        .collect(Collectors.joining("\n\n"));
  }

  private static String paragraphWithout(List<String> names, String processor, String paragraph) {
    int end = paragraph.indexOf(". ");
    if (!paragraph.startsWith(AGAIN)
        || !Machine.processor(paragraph.substring(end + 2)).equals(processor)) {
      return paragraph;
    }
    String left =
        Stream.of(paragraph.substring(AGAIN.length(), end).split(", "))
            .filter(name -> !names.contains(name))
            .collect(Collectors.joining(", "));
    return left.isEmpty() ? "" : AGAIN + left + paragraph.substring(end);
  }

  /**
   * Replaces the old results of a benchmark on a processor by later ones, and adds those of other
   * processors after them, those of other benchmarks at the end.
   */
  private static <T> List<T> merged(
      List<T> old, List<T> later, Function<T, List<?>> work, Function<T, String> processor) {
    Map<List<?>, Map<String, List<T>>> all = grouped(old, work, processor);
    grouped(later, work, processor)
        .forEach(
            (key, results) ->
                all.computeIfAbsent(key, none -> new LinkedHashMap<>()).putAll(results));
    return all.values().stream()
        .flatMap(results -> results.values().stream())
        .flatMap(List::stream)
        .toList();
  }

  private static <T> Map<List<?>, Map<String, List<T>>> grouped(
      List<T> all, Function<T, List<?>> work, Function<T, String> processor) {
    return all.stream()
        .collect(
            Collectors.groupingBy(
                work,
                LinkedHashMap::new,
                Collectors.groupingBy(processor, LinkedHashMap::new, Collectors.toList())));
  }

  /** Writes {@code SUITE.md}, {@code SUITE.json} and the charts. */
  public void write(Path directory) throws IOException {
    Files.createDirectories(directory);
    Files.writeString(directory.resolve(suite + ".md"), markdown());
    Files.writeString(directory.resolve(suite + ".json"), MAPPER.writeValueAsString(lines) + "\n");
    for (ReportChart chart : charts()) {
      Files.writeString(directory.resolve(chart.file()), chart.svg());
    }
  }

  /** Ratios, but for the points of curves, and then the curves. */
  private List<ReportChart> charts() {
    List<LengthChart> curves = LengthChart.of(suite, medians);
    List<Line> others =
        lines.stream().filter(line -> curves.stream().noneMatch(curve -> curve.has(line))).toList();
    List<ReportChart> charts = new ArrayList<>(RatioChart.of(suite, others));
    charts.addAll(curves);
    return charts;
  }

  private String markdown() {
    StringBuilder text = new StringBuilder();
    text.append("# Benchmark suite: ").append(suite).append("\n\n");
    text.append(heading).append("\n\n");
    charts().forEach(chart -> text.append(chart.markdown()).append("\n\n"));
    text.append(new LineTable(lines).markdown());
    text.append(LengthCliff.markdown(LengthChart.of(suite, medians)));
    text.append("\n## All peers\n\nMedian of the rounds. Wrong results are not compared.\n\n");
    text.append(EVERYONE);
    medians.forEach(median -> text.append(median.row()));
    return text.toString();
  }
}
