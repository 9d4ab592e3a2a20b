/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.report;

import java.util.List;
import java.util.Locale;

/**
 * The table of a report. Only if a line has a floor, there is a column for it.
 *
 * @param lines the lines in their order
 */
record LineTable(List<Line> lines) {
  private static final String FLOORS =
      """

      *Floor*: what any engine has to do at least, in the same rounds, as a share of the best correct peer's time: the
      shortest of the rows marked (other work). A goal below it cannot be met.
      """;

  LineTable {
    lines = List.copyOf(lines);
  }

  String markdown() {
    StringBuilder text = new StringBuilder();
    String floor = hasFloors() ? " floor |" : "";
    text.append("| work | threads | processor | ours | best correct peer | peer | ratio | goal |")
        .append(floor)
        .append(" | spread |\n")
        .append("| --- | --- | --- | --- | --- | --- | --- | --- |")
        .append(floor.isEmpty() ? "" : " --- |")
        .append(" --- | --- |\n");
    lines.forEach(line -> text.append(row(line)));
    return text.append(hasFloors() ? FLOORS : "").toString();
  }

  private boolean hasFloors() {
    return lines.stream().anyMatch(Line::hasFloor);
  }

  private String row(Line line) {
    return String.format(
        Locale.ROOT,
        "| %s | %d | %s | %s | %s | %s | %.2f | %.2f |%s %s | %.0f %% |%n",
        line.name(),
        line.threads(),
        line.processor(),
        Median.time(line.ours(), line.unit()),
        Median.time(line.peer(), line.unit()),
        line.peerName(),
        line.ratio(),
        line.goal(),
        floor(line),
        line.met() ? "met" : "not met",
        100 * line.spread());
  }

  private String floor(Line line) {
    String share = line.hasFloor() ? String.format(Locale.ROOT, " %.2f", line.bound()) : "";
    return hasFloors() ? share + " |" : "";
  }
}
