/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cli.training;

import io.sparknd.embedding.Trained;
import io.sparknd.embedding.TrainedStep;
import io.sparknd.embedding.ValidatedStep;
import io.sparknd.embedding.evaluation.MetricValue;
import io.sparknd.tensor.TensorErrors;
import java.awt.Color;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.knowm.xchart.VectorGraphicsEncoder;
import org.knowm.xchart.VectorGraphicsEncoder.VectorGraphicsFormat;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.style.Styler.YAxisPosition;
import org.knowm.xchart.style.markers.SeriesMarkers;

/**
 * A chart of a training: the mean loss per example of each step, by the left axis, and the metrics
 * of validations, by the right axis.
 */
public final class LossChart {
  private static final int WIDTH = 800;
  private static final int HEIGHT = 480;

  private final XYChart chart;

  private LossChart(String title, List<TrainedStep> steps, List<ValidatedStep> validations) {
    this.chart =
        new XYChartBuilder()
            .width(WIDTH)
            .height(HEIGHT)
            .title(title)
            .xAxisTitle("step")
            .yAxisTitle("loss")
            .build();
    chart.getStyler().setLegendVisible(!validations.isEmpty());
    chart.getStyler().setChartBackgroundColor(Color.WHITE);
    chart
        .addSeries(
            "loss",
            steps.stream().map(TrainedStep::step).toList(),
            steps.stream().map(step -> step.loss().mean()).toList())
        .setMarker(SeriesMarkers.NONE);
    validations.stream()
        .flatMap(validation -> validation.metrics().stream())
        .map(MetricValue::name)
        .distinct()
        .forEach(name -> addMetric(name, validations));
  }

  private void addMetric(String name, List<ValidatedStep> validations) {
    List<Long> steps = new ArrayList<>();
    List<Double> values = new ArrayList<>();
    for (ValidatedStep validation : validations) {
      for (MetricValue metric : validation.metrics()) {
        if (metric.name().equals(name)) {
          steps.add(validation.step());
          values.add(metric.value());
        }
      }
    }
    chart.addSeries(name, steps, values).setMarker(SeriesMarkers.CIRCLE).setYAxisGroup(1);
    chart.setYAxisGroupTitle(1, "metrics");
    chart.getStyler().setYAxisGroupPosition(1, YAxisPosition.Right);
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
    return new LossChart(title, trained.steps(), trained.validations());
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
