/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.metrics;

/**
 * Gauges of the metrics that validate trainings. They are not part of {@link SparkNdMetric}, since
 * validations name them.
 */
public final class TrainingMetrics {
  private static final String VALIDATION = "training.validation.";

  private TrainingMetrics() {}

  /**
   * Sets the gauge {@code training.validation.<metric>} of the driver; does nothing if no plugin
   * has registered metrics.
   *
   * @param metric name of the metric, such as {@code auc}
   */
  public static void validated(String metric, double value) {
    MetricRegistration.set(VALIDATION + metric, value);
  }
}
