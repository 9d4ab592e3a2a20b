/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding;

import io.sparknd.embedding.evaluation.EvaluationMetric;
import io.sparknd.embedding.evaluation.MetricValue;
import io.sparknd.embedding.internal.loop.LossValidation;
import java.util.List;
import java.util.function.Function;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/**
 * Evaluates versions of a table during a training. It runs on the driver, between two jobs of the
 * training, and must not use the table after it returns: the training closes that version.
 */
public interface TrainingValidation {
  /**
   * Evaluates a version.
   *
   * @return at least one value, with the same names in the same order for every version. {@link
   *     Training#stopEarly} and {@link Training#keepBest} follow the first
   */
  List<MetricValue> evaluate(EmbeddingTable table);

  /**
   * Returns a validation that computes metrics of predictions.
   *
   * @param predictions makes predictions with a version of the table, such as by {@link
   *     EmbeddingTable#lookup}: rows with columns {@code label} and {@code score}, see {@link
   *     EvaluationMetric}
   * @param metrics at least one; the first is the one to follow
   */
  static TrainingValidation of(
      Function<EmbeddingTable, Dataset<Row>> predictions, EvaluationMetric... metrics) {
    return new PredictionValidation<>(predictions, List.of(metrics))::evaluate;
  }

  /**
   * Returns a validation that computes the mean loss per example of a step function, {@code
   * val_loss}, and applies no gradient.
   *
   * @param batches mini-batches that the training does not use
   * @param count evaluates the mini-batches of steps 0 to {@code count - 1}; at least 1
   */
  static <B> TrainingValidation loss(Batches<B> batches, StepFunction<B> function, int count) {
    LossValidation<EmbeddingTable, B> validation =
        new LossValidation<>(
            new TableOperations(),
            batches::shards,
            table -> new OneTableFunction<>(function),
            count);
    return validation::evaluate;
  }
}
