/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.report;

import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/** Draws curves over the length of a row, whose axis is logarithmic. */
final class LengthSvg {
  private static final int LEFT = SvgDrawing.MARGIN + 34;
  private static final int RIGHT = SvgDrawing.MARGIN + SvgDrawing.PLOT - 14;
  private static final int HEIGHT = 220;
  private static final int GAP = 12;
  private static final int DOT = 4;
  private static final int COLORS = 6;

  private static final String STYLE =
      """
      .axis { stroke: #d1d9e0; stroke-width: 1; }
      .p0 { fill: #0969da; stroke: #0969da; }
      .p1 { fill: #8250df; stroke: #8250df; }
      .p2 { fill: #1a7f37; stroke: #1a7f37; }
      .p3 { fill: #bc4c00; stroke: #bc4c00; }
      .p4 { fill: #cf222e; stroke: #cf222e; }
      .p5 { fill: #818b98; stroke: #818b98; }
      polyline[class] { fill: none; stroke-width: 1.5; }
      polyline.p0 { stroke-width: 3; }
      """;
  private static final String DARK_STYLE =
      """
        .axis { stroke: #3d444d; }
        .p0 { fill: #4493f8; stroke: #4493f8; }
        .p1 { fill: #ab7df8; stroke: #ab7df8; }
        .p2 { fill: #3fb950; stroke: #3fb950; }
        .p3 { fill: #db6d28; stroke: #db6d28; }
        .p4 { fill: #f85149; stroke: #f85149; }
      """;
  private static final String LEGEND =
      "Nanoseconds an element; a jump upwards between neighbouring lengths would be a cliff.";

  private final LengthChart chart;
  private final SvgDrawing drawing;
  private final int shortest;
  private final int longest;
  private final double step;
  private final double limit;

  LengthSvg(LengthChart chart) {
    this.chart = chart;
    drawing = new SvgDrawing(chart.title(), STYLE, DARK_STYLE);
    List<LengthCurve.Point> points =
        chart.curves().stream().flatMap(curve -> curve.points().stream()).toList();
    shortest = points.stream().mapToInt(LengthCurve.Point::length).min().orElseThrow();
    longest = points.stream().mapToInt(LengthCurve.Point::length).max().orElseThrow();
    double most = points.stream().mapToDouble(LengthCurve.Point::element).max().orElseThrow();
    step = round(most / 4);
    limit = Math.ceil(most / step) * step;
  }

  /** Returns the next number that is 1, 2 or 5 times a power of ten. */
  private static double round(double value) {
    double power = Math.pow(10, Math.floor(Math.log10(value)));
    return IntStream.of(1, 2, 5, 10)
        .mapToDouble(factor -> factor * power)
        .filter(next -> next >= value)
        .findFirst()
        .orElse(10 * power);
  }

  String draw() {
    drawing.text("note", LEGEND);
    drawing.skip(GAP);
    int top = drawing.y();
    axes(top);
    for (int i = chart.curves().size() - 1; i >= 0; i--) {
      curve(i, top);
    }
    drawing.skip(HEIGHT + 2 * GAP);
    for (int i = 0; i < chart.curves().size(); i++) {
      drawing.box(color(i), SvgDrawing.MARGIN, drawing.y() + 4, GAP, DOT);
      drawing.indentedText("note", 2 * GAP, chart.curves().get(i).who());
    }
    return drawing.document();
  }

  private void axes(int top) {
    for (int i = 0; i * step <= limit * 1.001; i++) {
      double y = y(top, i * step);
      drawing.line("axis", List.of(new SvgDrawing.Point(LEFT, y), new SvgDrawing.Point(RIGHT, y)));
      drawing.label("note", SvgDrawing.MARGIN, (int) y + 4, tick(i * step));
    }
    int last = Integer.highestOneBit(longest);
    for (int length = Integer.highestOneBit(shortest); length <= last; length *= 2) {
      if (length >= shortest) {
        String label = String.valueOf(length);
        drawing.label("note", x(length) - 3.5 * label.length(), top + HEIGHT + 16, label);
      }
    }
  }

  private String tick(double value) {
    return String.format(Locale.ROOT, step < 0.1 ? "%.2f" : step < 1 ? "%.1f" : "%.0f", value);
  }

  private void curve(int number, int top) {
    List<SvgDrawing.Point> points =
        chart.curves().get(number).points().stream()
            .map(point -> new SvgDrawing.Point(x(point.length()), y(top, point.element())))
            .toList();
    drawing.line(color(number), points);
    for (SvgDrawing.Point point : points) {
      drawing.box(
          color(number), point.x() - DOT / 2.0, (int) Math.round(point.y()) - DOT / 2, DOT, DOT);
    }
  }

  /** The last colour is grey. */
  private static String color(int number) {
    return "p" + Math.min(number, COLORS - 1);
  }

  private double x(int length) {
    double share = Math.log((double) length / shortest) / Math.log((double) longest / shortest);
    return LEFT + share * (RIGHT - LEFT);
  }

  private double y(int top, double element) {
    return top + HEIGHT * (1 - element / limit);
  }
}
