/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.examples.support;

import io.sparknd.embedding.TrainedStep;
import java.awt.Color;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.knowm.xchart.VectorGraphicsEncoder;
import org.knowm.xchart.VectorGraphicsEncoder.VectorGraphicsFormat;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** The mean loss of an example, step after step. */
public final class LossChart {
  private static final int WIDTH = 800;
  private static final int HEIGHT = 480;

  private LossChart() {}

  /**
   * Writes an SVG file.
   *
   * @param steps in their order
   */
  public static void write(String title, List<TrainedStep> steps, Path file) throws IOException {
    XYChart chart =
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
    VectorGraphicsEncoder.saveVectorGraphic(chart, file.toString(), VectorGraphicsFormat.SVG);
  }
}
