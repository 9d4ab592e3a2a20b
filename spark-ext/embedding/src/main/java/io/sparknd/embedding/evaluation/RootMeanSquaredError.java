/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.evaluation;

import io.sparknd.embedding.internal.evaluation.ErrorMean;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/** The root of the mean of {@code (score - label)^2}, {@code rmse}. Both are finite. */
public record RootMeanSquaredError() implements EvaluationMetric {
  @Override
  public String name() {
    return "rmse";
  }

  @Override
  public MetricGoal goal() {
    return MetricGoal.MINIMIZE;
  }

  @Override
  public double of(Dataset<Row> predictions) {
    return Math.sqrt(ErrorMean.SQUARED_ERROR.of(predictions));
  }
}
