/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding;

import java.awt.Color;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.knowm.xchart.VectorGraphicsEncoder;
import org.knowm.xchart.VectorGraphicsEncoder.VectorGraphicsFormat;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** The mean loss of an example, step after step. */
final class LossChart {
  private static final int WIDTH = 800;
  private static final int HEIGHT = 480;

  private final XYChart chart;

  /**
   * @param steps in their order, one at least
   */
  LossChart(String title, List<TrainedStep> steps) {
    this.chart =
        new XYChartBuilder()
            .width(WIDTH)
            .height(HEIGHT)
            .title(title)
            .xAxisTitle("step")
            .yAxisTitle("loss")
            .build();
    chart.getStyler().setLegendVisible(false);
    chart.getStyler().setChartBackgroundColor(Color.WHITE);
    chart
        .addSeries(
            "loss",
            steps.stream().map(TrainedStep::step).toList(),
            steps.stream().map(step -> step.loss().mean()).toList())
        .setMarker(SeriesMarkers.NONE);
  }

  /** Writes an SVG file. */
  void write(Path file) throws IOException {
    try (OutputStream out = Files.newOutputStream(file)) {
      VectorGraphicsEncoder.saveVectorGraphic(chart, out, VectorGraphicsFormat.SVG);
    }
  }
}
