/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.examples.support;

import io.sparknd.embedding.evaluation.EvaluationMetric;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/** A comparison of models by metrics of their predictions and by cost. */
public final class ModelComparison {
  private final List<EvaluationMetric> metrics;
  private final List<List<String>> rows = new ArrayList<>();

  /** Creates an empty comparison by metrics of held-out data. */
  public ModelComparison(EvaluationMetric... metrics) {
    this.metrics = List.of(metrics);
    List<String> names = this.metrics.stream().map(EvaluationMetric::name).toList();
    rows.add(line("", names, "time", "results sent to the driver", "heap in use"));
  }

  /**
   * Adds a trained model.
   *
   * @param predictions columns {@code label} and {@code score}
   * @return the value of each metric
   */
  public List<Double> add(String name, Dataset<Row> predictions, DriverLoad<?> load) {
    List<Double> values = values(predictions);
    rows.add(
        line(
            name,
            texts(values),
            String.format(Locale.ROOT, "%.1f s", load.seconds()),
            megabytes(load.received()),
            megabytes(load.heap())));
    return values;
  }

  /** Adds predictions without cost. */
  public void add(String name, Dataset<Row> predictions) {
    rows.add(line(name, texts(values(predictions)), "", "", ""));
  }

  /** Adds a known value of the only metric. */
  public void add(String name, double value) {
    rows.add(line(name, texts(List.of(value)), "", "", ""));
  }

  /** Prints one line per model. */
  public void print() {
    Console.table(rows);
  }

  private List<Double> values(Dataset<Row> predictions) {
    Dataset<Row> kept = predictions.persist();
    try {
      return metrics.stream().map(metric -> metric.of(kept)).toList();
    } finally {
      kept.unpersist();
    }
  }

  private static List<String> line(String name, List<String> values, String... costs) {
    return Stream.of(Stream.of(name), values.stream(), Stream.of(costs))
        .flatMap(cells -> cells)
        .toList();
  }

  private static List<String> texts(List<Double> values) {
    return values.stream().map(value -> String.format(Locale.ROOT, "%.4f", value)).toList();
  }

  private static String megabytes(long bytes) {
    return String.format(Locale.ROOT, "%.2f MB", bytes / 1e6);
  }
}
