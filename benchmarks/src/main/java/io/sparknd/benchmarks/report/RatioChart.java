/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * A chart of our times as shares of the best correct peers' times.
 *
 * @param name the name of its file, without the ending
 * @param title what it shows
 * @param rows one for each benchmark
 */
record RatioChart(String name, String title, List<Row> rows) implements ReportChart {
  /** So many benchmarks that measure the same get a chart of their own. */
  private static final int MANY = 4;

  RatioChart {
    rows = List.copyOf(rows);
  }

  /**
   * A benchmark.
   *
   * @param name its name, which is the name of the row
   * @param bars one for each thread count and processor
   */
  record Row(String name, List<Bar> bars) {
    Row {
      bars = List.copyOf(bars);
    }
  }

  /**
   * A ratio.
   *
   * @param note the ratio, its goal and the peer in words
   * @param ratio our time divided by the peer's
   * @param goal the highest ratio that meets the goal
   * @param processor the place of its processor among those of the chart
   */
  record Bar(String note, double ratio, double goal, int processor) {}

  /**
   * Returns the charts of a suite: one of each quantity that several benchmarks measure, and one of
   * the other times. Sizes and counts are in the table only.
   */
  static List<RatioChart> of(String suite, List<Line> lines) {
    Map<String, List<Line>> common =
        lines.stream()
            .filter(Line::isTime)
            .collect(
                Collectors.groupingBy(Line::description, LinkedHashMap::new, Collectors.toList()));
    List<RatioChart> charts = new ArrayList<>();
    List<Line> others = new ArrayList<>();
    common.forEach(
        (description, same) -> {
          if (same.stream().map(Line::shortName).distinct().count() < MANY) {
            others.addAll(same);
          } else {
            charts.add(common(suite, description, same));
          }
        });
    if (!others.isEmpty()) {
      charts.add(0, chart(suite, "Suite " + suite, inOrder(others, lines), Line::name));
    }
    return charts;
  }

  private static List<Line> inOrder(List<Line> some, List<Line> all) {
    return all.stream().filter(some::contains).toList();
  }

  private static String slug(String description) {
    return description.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-");
  }

  private static RatioChart common(String suite, String description, List<Line> lines) {
    return chart(
        suite + "-" + slug(description),
        "Suite " + suite + ": " + description,
        lines,
        line -> line.shortName().split("/", 2)[0]);
  }

  private static RatioChart chart(
      String name, String title, List<Line> lines, Function<Line, String> label) {
    BarNotes notes = BarNotes.of(lines);
    Map<String, List<Bar>> rows = new LinkedHashMap<>();
    for (Line line : lines) {
      rows.computeIfAbsent(label.apply(line), none -> new ArrayList<>())
          .add(new Bar(notes.of(line), line.ratio(), line.goal(), notes.processor(line)));
    }
    return new RatioChart(
        name,
        title,
        rows.entrySet().stream().map(row -> new Row(row.getKey(), row.getValue())).toList());
  }

  @Override
  public String file() {
    return name + ".svg";
  }

  @Override
  public String markdown() {
    return String.format(
        "![%s: SparkND's time divided by the best correct peer's](%s)", title, file());
  }

  /** The largest ratio, or 1 if all are smaller. */
  double limit() {
    return rows.stream()
        .flatMap(row -> row.bars().stream())
        .mapToDouble(Bar::ratio)
        .reduce(1, Math::max);
  }

  @Override
  public String svg() {
    return new RatioSvg(this).draw();
  }
}
