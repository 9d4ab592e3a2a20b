/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.nearest;

import io.sparknd.embedding.internal.EmbeddingErrors;
import io.sparknd.op.OperatorErrors;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * Scores a query {@code q} and a row {@code e}, both {@code [dim]}. Elements are float32, sums are
 * float64 and left folds in the order of the elements. A score of finite vectors is therefore
 * finite, and depends on nothing but the two vectors.
 */
public enum VectorMetric {
  /** {@code sum(q * e)}; the largest score is the nearest. */
  DOT,
  /**
   * {@code sum(q * e) / (|q| * |e|)}, in {@code [-1, 1]}; 0 if a vector is all zeros. The largest
   * score is the nearest.
   */
  COSINE,
  /** {@code sqrt(sum((q - e)^2))}; the smallest score is the nearest. */
  EUCLIDEAN;

  /**
   * Returns the metric with this name in lower case, such as {@code cosine}.
   *
   * @throws io.sparknd.tensor.SparkNdException if there is no such metric
   */
  public static VectorMetric named(String name) {
    return Arrays.stream(values())
        .filter(metric -> metric.toString().equals(name))
        .findFirst()
        .orElseThrow(() -> OperatorErrors.unknownValue("metric", name, known()));
  }

  private static String known() {
    return Arrays.stream(values()).map(VectorMetric::toString).collect(Collectors.joining(", "));
  }

  /**
   * Returns the score of two vectors.
   *
   * @param query {@code [dim]}
   * @param row {@code [dim]}
   * @throws io.sparknd.tensor.SparkNdException if the lengths differ
   */
  public double score(float[] query, float[] row) {
    if (query.length != row.length) {
      throw EmbeddingErrors.badQueryVector(
          "has " + query.length + " elements, and the row has " + row.length);
    }
    return switch (this) {
      case DOT -> dot(query, row);
      case COSINE -> {
        double norms = Math.sqrt(dot(query, query)) * Math.sqrt(dot(row, row));
        yield norms == 0 ? 0 : Math.max(-1, Math.min(1, dot(query, row) / norms));
      }
      case EUCLIDEAN -> Math.sqrt(squares(query, row));
    };
  }

  private static double dot(float[] one, float[] other) {
    double sum = 0;
    for (int i = 0; i < one.length; i++) {
      sum += (double) one[i] * other[i];
    }
    return sum;
  }

  private static double squares(float[] one, float[] other) {
    double sum = 0;
    for (int i = 0; i < one.length; i++) {
      double difference = (double) one[i] - other[i];
      sum += difference * difference;
    }
    return sum;
  }

  /** Returns the name in lower case, such as {@code cosine}. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
