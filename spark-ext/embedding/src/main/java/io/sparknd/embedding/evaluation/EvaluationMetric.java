/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.evaluation;

import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/**
 * A metric of predictions: rows with columns {@code label} and {@code score}, numbers or booleans,
 * which are read as float64. Tasks compute it; the driver receives a summary of each partition.
 * Values have the same bits at every number of partitions and in every order of the rows.
 */
public sealed interface EvaluationMetric permits LogLoss, RecallAtK, RocAuc, RootMeanSquaredError {
  /** Returns the name of the metric, which is a column of CSV files. */
  String name();

  MetricGoal goal();

  /**
   * Computes the metric. Runs jobs.
   *
   * @param predictions columns {@code label} and {@code score}; other columns are ignored
   * @throws io.sparknd.tensor.SparkNdException if a column is missing or has the wrong type, a
   *     label or score is null or out of the metric's bounds, or the metric is undefined for these
   *     rows
   */
  double of(Dataset<Row> predictions);

  /** Returns the area under the ROC curve; see {@link RocAuc}. */
  static EvaluationMetric auc() {
    return new RocAuc();
  }

  /** Returns the mean binary cross-entropy; see {@link LogLoss}. */
  static EvaluationMetric logLoss() {
    return new LogLoss();
  }

  /** Returns the root-mean-square error; see {@link RootMeanSquaredError}. */
  static EvaluationMetric rmse() {
    return new RootMeanSquaredError();
  }

  /**
   * Returns the share of a query's relevant items among its {@code k} best; see {@link RecallAtK}.
   *
   * @param k at least 1
   */
  static EvaluationMetric recallAt(int k) {
    return new RecallAtK(k);
  }
}
