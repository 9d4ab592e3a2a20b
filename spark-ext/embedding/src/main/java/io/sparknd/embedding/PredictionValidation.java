/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding;

import io.sparknd.cluster.internal.spark.InterruptedCleanup;
import io.sparknd.embedding.evaluation.EvaluationMetric;
import io.sparknd.embedding.evaluation.MetricValue;
import io.sparknd.embedding.internal.TrainingErrors;
import java.util.List;
import java.util.function.Function;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.storage.StorageLevel;

/**
 * Computes metrics of the same predictions, which are persisted if there are several metrics and
 * the application did not.
 *
 * @param <V> a table or a model
 */
record PredictionValidation<V>(
    Function<V, Dataset<Row>> predictions, List<EvaluationMetric> metrics) {
  PredictionValidation {
    if (metrics.isEmpty()) {
      throw TrainingErrors.noMetrics();
    }
  }

  List<MetricValue> evaluate(V version) {
    Dataset<Row> rows = predictions.apply(version);
    if (metrics.size() == 1 || !rows.storageLevel().equals(StorageLevel.NONE())) {
      return values(rows);
    }
    Dataset<Row> persisted = rows.persist(StorageLevel.MEMORY_AND_DISK());
    try {
      return values(persisted);
    } finally {
      InterruptedCleanup.run(() -> persisted.unpersist(false));
    }
  }

  private List<MetricValue> values(Dataset<Row> rows) {
    return metrics.stream()
        .map(metric -> new MetricValue(metric.name(), metric.goal(), metric.of(rows)))
        .toList();
  }
}
