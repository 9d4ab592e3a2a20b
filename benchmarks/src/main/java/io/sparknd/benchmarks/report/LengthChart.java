/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.report;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A chart of the time of an element by the length of a row, one curve for each peer. The points of
 * a curve are benchmarks whose names differ in the length only, such as {@code add-float32-x64}.
 *
 * @param suite the suite
 * @param work the name without the length
 * @param threads the threads that each peer may use
 * @param processor the model of the processor
 * @param curves one for each peer
 */
record LengthChart(
    String suite, String work, int threads, String processor, List<LengthCurve> curves)
    implements ReportChart {
  private static final Pattern NAME = Pattern.compile("(.+)-x(\\d+)");

  /** Fewer lengths are no curve. */
  private static final int FEWEST = 3;

  LengthChart {
    curves = List.copyOf(curves);
  }

  private record Key(String work, int threads, String processor) {}

  /** Returns the charts of a suite. */
  static List<LengthChart> of(String suite, List<Median> medians) {
    Map<Key, List<Median>> charts =
        medians.stream()
            .filter(median -> NAME.matcher(median.work()).matches())
            .collect(
                Collectors.groupingBy(
                    median ->
                        new Key(
                            matched(median.work()).group(1), median.threads(), median.processor()),
                    LinkedHashMap::new,
                    Collectors.toList()));
    return charts.entrySet().stream()
        .filter(chart -> lengths(chart.getValue()) >= FEWEST)
        .map(chart -> of(suite, chart.getKey(), chart.getValue()))
        .toList();
  }

  private static LengthChart of(String suite, Key key, List<Median> medians) {
    Map<String, List<LengthCurve.Point>> curves =
        medians.stream()
            .filter(Median::isRight)
            .collect(
                Collectors.groupingBy(
                    Median::who,
                    LinkedHashMap::new,
                    Collectors.mapping(LengthChart::point, Collectors.toList())));
    return new LengthChart(
        suite,
        key.work(),
        key.threads(),
        key.processor(),
        curves.entrySet().stream()
            .map(curve -> new LengthCurve(curve.getKey(), curve.getValue()))
            .toList());
  }

  private static long lengths(List<Median> medians) {
    return medians.stream().map(Median::work).distinct().count();
  }

  private static LengthCurve.Point point(Median median) {
    return new LengthCurve.Point(Integer.parseInt(matched(median.work()).group(2)), median.value());
  }

  private static Matcher matched(String work) {
    Matcher name = NAME.matcher(work);
    if (!name.matches()) {
      throw new IllegalArgumentException(work);
    }
    return name;
  }

  /** Whether the line is a point of a curve of this chart. */
  boolean has(Line line) {
    Matcher name = NAME.matcher(line.shortName());
    return name.matches() && name.group(1).equals(work);
  }

  String title() {
    return String.format(
        "%s: nanoseconds an element, by the length of a row (%s, %s)",
        work, processor, threads == 1 ? "1 thread" : threads + " threads");
  }

  @Override
  public String file() {
    String name = String.join("-", suite, work, processor, String.valueOf(threads));
    return name.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-") + ".svg";
  }

  @Override
  public String markdown() {
    return String.format("![%s](%s)", title(), file());
  }

  @Override
  public String svg() {
    return new LengthSvg(this).draw();
  }
}
