/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.evaluation;

import io.sparknd.embedding.internal.evaluation.RankCounts;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/**
 * The area under the ROC curve, {@code auc}: the probability that a row with label 1 has a higher
 * score than a row with label 0, where ties count half. Pairs are counted in integers, so the value
 * is exact but for its last rounding. Labels are 0 or 1, and both must occur; scores are anything
 * but NaN.
 */
public record RocAuc() implements EvaluationMetric {
  @Override
  public String name() {
    return "auc";
  }

  @Override
  public MetricGoal goal() {
    return MetricGoal.MAXIMIZE;
  }

  @Override
  public double of(Dataset<Row> predictions) {
    return RankCounts.of(predictions).area();
  }
}
