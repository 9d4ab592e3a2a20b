/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cli.training;

import io.sparknd.embedding.Trained;
import io.sparknd.embedding.TrainedStep;
import io.sparknd.tensor.TensorErrors;
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

/** A chart of the mean loss per example at each step of a training. */
public final class LossChart {
  private static final int WIDTH = 800;
  private static final int HEIGHT = 480;

  private final XYChart chart;

  private LossChart(String title, List<TrainedStep> steps) {
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

  /**
   * Creates the chart of a training.
   *
   * @param trained has at least one step
   */
  public static LossChart of(Trained trained) {
    String title =
        String.format(
            "%,d steps, %.1f per second", trained.steps().size(), trained.stepsPerSecond());
    return new LossChart(title, trained.steps());
  }

  /**
   * Writes an SVG file.
   *
   * @throws io.sparknd.tensor.SparkNdException if {@code file} cannot be written
   */
  public void write(Path file) {
    try (OutputStream out = Files.newOutputStream(file)) {
      VectorGraphicsEncoder.saveVectorGraphic(chart, out, VectorGraphicsFormat.SVG);
    } catch (IOException e) {
      throw TensorErrors.unwritableFile(file.toString(), e);
    }
  }
}
