/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.report;

import java.awt.Color;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;
import org.knowm.xchart.VectorGraphicsEncoder;
import org.knowm.xchart.VectorGraphicsEncoder.VectorGraphicsFormat;
import org.knowm.xchart.style.Styler.LegendPosition;

/** A bar chart of the ratios of our time to the best correct peer's, with the goals. */
final class RatioChart {
  private static final int HEIGHT = 480;
  private static final int BASE_WIDTH = 240;
  private static final int WIDTH_OF_A_LINE = 72;

  private RatioChart() {}

  static void write(String suite, List<Line> lines, Path file) throws IOException {
    VectorGraphicsEncoder.saveVectorGraphic(
        chart(suite, lines), file.toString(), VectorGraphicsFormat.SVG);
  }

  /** Draws the lines that have the unit of the first line. */
  static CategoryChart chart(String suite, List<Line> all) {
    List<Line> lines = all.stream().filter(line -> line.unit().equals(all.get(0).unit())).toList();
    CategoryChart chart =
        new CategoryChartBuilder()
            .width(BASE_WIDTH + WIDTH_OF_A_LINE * lines.size())
            .height(HEIGHT)
            .title(suite + ": our time / the best correct peer's (lower is better)")
            .yAxisTitle("ratio")
            .build();
    style(chart);
    List<String> names =
        lines.stream().map(line -> line.shortName() + " (" + line.threads() + ")").toList();
    chart.addSeries("SparkND", names, lines.stream().map(Line::ratio).toList());
    chart.addSeries("goal", names, lines.stream().map(Line::goal).toList());
    return chart;
  }

  private static void style(CategoryChart chart) {
    chart.getStyler().setLegendPosition(LegendPosition.InsideNE);
    chart.getStyler().setSeriesColors(new Color[] {new Color(0x1f77b4), new Color(0xc7c7c7)});
    chart.getStyler().setChartBackgroundColor(Color.WHITE);
    chart.getStyler().setYAxisMin(0.0);
    chart.getStyler().setAvailableSpaceFill(0.7);
  }
}
