/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cli.training;

import io.sparknd.cli.chart.AxisScale;
import io.sparknd.cli.chart.ChartFrame;
import io.sparknd.cli.chart.ChartSeries;
import io.sparknd.cli.chart.SvgImage;
import io.sparknd.embedding.TrainedEmbedding;
import io.sparknd.embedding.TrainedStep;
import io.sparknd.embedding.ValidatedStep;
import io.sparknd.embedding.evaluation.MetricValue;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * A chart of a training: the mean loss per example of each step, by the left axis, and the metrics
 * of validations, by the right axis.
 */
public final class LossChart {
  private static final int WIDTH = 800;
  private static final int HEIGHT = 480;
  private static final int LEFT = 90;
  private static final int TOP = 50;
  private static final int BOTTOM = HEIGHT - 60;

  /** The right edge of the frame, and that with an axis of metrics and a legend. */
  private static final int RIGHT = WIDTH - 30;

  private static final int RIGHT_OF_METRICS = WIDTH - 210;
  private static final int LEGEND = WIDTH - 120;

  private final String title;
  private final ChartSeries losses;
  private final List<ChartSeries> metrics;

  private LossChart(String title, List<TrainedStep> steps, List<ValidatedStep> validations) {
    this.title = title;
    this.losses =
        new ChartSeries(
            "loss",
            steps.stream().map(step -> (double) step.step()).toList(),
            steps.stream().map(step -> step.loss().mean()).toList());
    this.metrics =
        validations.stream()
            .flatMap(validation -> validation.metrics().stream())
            .map(MetricValue::name)
            .distinct()
            .map(name -> metric(name, validations))
            .toList();
  }

  private static ChartSeries metric(String name, List<ValidatedStep> validations) {
    List<Double> steps = new ArrayList<>();
    List<Double> values = new ArrayList<>();
    for (ValidatedStep validation : validations) {
      for (MetricValue metric : validation.metrics()) {
        if (metric.name().equals(name)) {
          steps.add((double) validation.step());
          values.add(metric.value());
        }
      }
    }
    return new ChartSeries(name, steps, values);
  }

  /**
   * Creates the chart of a training.
   *
   * @param trained has at least one step
   */
  public static LossChart of(TrainedEmbedding trained) {
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
    SvgImage image = new SvgImage(WIDTH, HEIGHT);
    int right = metrics.isEmpty() ? RIGHT : RIGHT_OF_METRICS;
    ChartFrame frame = new ChartFrame(image, LEFT, TOP, right, BOTTOM);
    frame.title(title);
    List<Double> steps = all().flatMap(series -> series.xs().stream()).toList();
    AxisScale x = frame.horizontalAxis(steps, "step");
    frame.line(losses, x, frame.leftAxis(losses.ys(), "loss"), SvgImage.color(0));
    if (!metrics.isEmpty()) {
      drawMetrics(frame, x);
    }
    image.write(file);
  }

  private void drawMetrics(ChartFrame frame, AxisScale x) {
    List<Double> values = metrics.stream().flatMap(series -> series.ys().stream()).toList();
    AxisScale y = frame.rightAxis(values, "metrics");
    for (int i = 0; i < metrics.size(); i++) {
      frame.line(metrics.get(i), x, y, SvgImage.color(i + 1));
      frame.points(metrics.get(i), x, y, SvgImage.color(i + 1));
    }
    frame.legend(all().map(ChartSeries::name).toList(), LEGEND);
  }

  private Stream<ChartSeries> all() {
    return Stream.concat(Stream.of(losses), metrics.stream());
  }
}
