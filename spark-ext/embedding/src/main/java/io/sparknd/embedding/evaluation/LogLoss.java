/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.evaluation;

import io.sparknd.embedding.internal.evaluation.ErrorMean;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/**
 * The mean binary cross-entropy, {@code log_loss}: the mean of {@code -ln(score)} where the label
 * is 1 and {@code -ln(1 - score)} where it is 0. Labels are 0 or 1, scores are probabilities in
 * {@code [0, 1]}. As in scikit-learn, scores are clipped to {@code [2^-52, 1 - 2^-52]}.
 */
public record LogLoss() implements EvaluationMetric {
  @Override
  public String name() {
    return "log_loss";
  }

  @Override
  public MetricGoal goal() {
    return MetricGoal.MINIMIZE;
  }

  @Override
  public double of(Dataset<Row> predictions) {
    return ErrorMean.CROSS_ENTROPY.of(predictions);
  }
}
