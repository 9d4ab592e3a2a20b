/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.evaluation;

import io.sparknd.embedding.internal.TrainingErrors;
import io.sparknd.embedding.internal.evaluation.QueryRecall;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/**
 * The mean recall of queries, {@code recall@k}: of the relevant items of a query, those with label
 * 1, the share that is among its {@code k} items of the highest score. Of items with the same
 * score, as many count as on average in a random order. Queries without relevant items are left
 * out. A third column {@code query}, of integers or strings, tells which rows belong together.
 * Labels are 0 or 1, scores are anything but NaN.
 *
 * @param k at least 1
 */
public record RecallAtK(int k) implements EvaluationMetric {
  public RecallAtK {
    if (k < 1) {
      throw TrainingErrors.badTraining("k", k);
    }
  }

  @Override
  public String name() {
    return "recall@" + k;
  }

  @Override
  public MetricGoal goal() {
    return MetricGoal.MAXIMIZE;
  }

  @Override
  public double of(Dataset<Row> predictions) {
    return QueryRecall.of(predictions, k);
  }
}
