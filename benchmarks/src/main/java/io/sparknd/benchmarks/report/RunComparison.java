/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.report;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sparknd.benchmarks.report.LineComparison.Verdict;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * Two runs of a suite, before and after a change.
 *
 * @param pairs the benchmarks of both runs
 * @param alone names of the benchmarks of one run, with the run
 */
record RunComparison(List<LineComparison> pairs, List<String> alone) {
  /** The status of a comparison that says nothing. */
  static final int NOT_COMPARED = 2;

  RunComparison {
    pairs = List.copyOf(pairs);
    alone = List.copyOf(alone);
  }

  /**
   * Prints which differences between two reports are larger than the spread. The process exits with
   * {@link #status}, or with 2 if a file is no report.
   *
   * @param args the JSON files of the earlier and of the later run
   */
  public static void main(String[] args) {
    System.exit(run(Path.of(args[0]), Path.of(args[1])));
  }

  private static int run(Path before, Path after) {
    try {
      RunComparison comparison = of(lines(before), lines(after));
      System.out.print(comparison.table());
      return comparison.status();
    } catch (IOException e) {
      System.err.println(e.getMessage());
      return NOT_COMPARED;
    }
  }

  /**
   * Reads the lines of a report.
   *
   * @throws IOException if the file cannot be read, or is no report; the message names the file
   */
  static List<Line> lines(Path file) throws IOException {
    try {
      Line[] lines = new ObjectMapper().readValue(file.toFile(), Line[].class);
      if (lines == null || Stream.of(lines).anyMatch(line -> line == null || line.name() == null)) {
        throw noReport(file, "a line has no name", null);
      }
      return List.of(lines);
    } catch (JacksonException e) {
      throw noReport(file, e.getOriginalMessage(), e);
    }
  }

  private static IOException noReport(Path file, String reason, Throwable cause) {
    return new IOException(file + " is no report of benchmarks/run, SUITE.json: " + reason, cause);
  }

  static RunComparison of(List<Line> before, List<Line> after) {
    List<LineComparison> pairs = new ArrayList<>();
    List<String> alone = new ArrayList<>();
    for (Line line : after) {
      before.stream()
          .filter(line::isSameWork)
          .findFirst()
          .ifPresentOrElse(
              old -> pairs.add(new LineComparison(old, line)),
              () -> alone.add(alone(line, "after")));
    }
    before.stream()
        .filter(line -> after.stream().noneMatch(line::isSameWork))
        .forEach(line -> alone.add(alone(line, "before")));
    return new RunComparison(pairs, alone);
  }

  /** Whether something became worse by more than the spread. */
  boolean isWorse() {
    return count(Verdict.WORSE) > 0;
  }

  /**
   * Returns 1 if something became worse, 0 if not, and {@link #NOT_COMPARED} if no benchmark has a
   * verdict, because the runs share none.
   */
  int status() {
    boolean isCompared =
        count(Verdict.WORSE) + count(Verdict.BETTER) + count(Verdict.WITHIN_SPREAD) > 0;
    return isCompared ? (isWorse() ? 1 : 0) : NOT_COMPARED;
  }

  String table() {
    StringBuilder text = new StringBuilder();
    text.append(row("work", "threads", "before", "after", "change", "spread", ""));
    for (LineComparison pair : pairs) {
      text.append(
          row(
              label(pair.after()),
              String.valueOf(pair.after().threads()),
              pair.value(pair.before()),
              pair.value(pair.after()),
              String.format(Locale.ROOT, "%+.0f %%", 100 * pair.change()),
              String.format(Locale.ROOT, "%.0f %%", 100 * pair.spread()),
              pair.words()));
    }
    alone.forEach(line -> text.append(line).append('\n'));
    return text.append(summary()).toString();
  }

  private String summary() {
    return String.format(
        "%d worse, %d better, %d within the spread, %d not compared%n",
        count(Verdict.WORSE),
        count(Verdict.BETTER),
        count(Verdict.WITHIN_SPREAD),
        count(Verdict.MEASURED_ONCE) + count(Verdict.OTHER_WORK) + alone.size());
  }

  private long count(Verdict verdict) {
    return pairs.stream().filter(pair -> pair.verdict() == verdict).count();
  }

  private static String alone(Line line, String run) {
    return String.format("%s, threads: %d, only %s", label(line), line.threads(), run);
  }

  private static String label(Line line) {
    return line.shortName() + ", " + line.processor();
  }

  private static String row(String... cells) {
    return String.format(Locale.ROOT, "%-40s %7s  %12s  %12s  %7s  %6s  %s", (Object[]) cells)
            .stripTrailing()
        + "\n";
  }
}
