/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.report;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.sparknd.benchmarks.report.LineComparison.Verdict;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Two runs of a suite, before and after a change.
 *
 * @param pairs the benchmarks of both runs
 * @param alone names of the benchmarks of one run, with the run
 */
record RunComparison(List<LineComparison> pairs, List<String> alone) {
  RunComparison {
    pairs = List.copyOf(pairs);
    alone = List.copyOf(alone);
  }

  /**
   * Prints which differences between two reports are larger than the spread. The process exits with
   * status 1 if something became worse, with 0 if not.
   *
   * @param args the JSON files of the earlier and of the later run
   */
  public static void main(String[] args) throws IOException {
    ObjectMapper mapper = new ObjectMapper();
    RunComparison comparison =
        of(
            List.of(mapper.readValue(Path.of(args[0]).toFile(), Line[].class)),
            List.of(mapper.readValue(Path.of(args[1]).toFile(), Line[].class)));
    System.out.print(comparison.table());
    System.exit(comparison.isWorse() ? 1 : 0);
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
