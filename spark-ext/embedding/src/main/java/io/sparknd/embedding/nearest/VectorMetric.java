/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.nearest;

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
        .orElseThrow(() -> OperatorErrors.unknownWord("metric", name, known()));
  }

  private static String known() {
    return Arrays.stream(values()).map(VectorMetric::toString).collect(Collectors.joining(", "));
  }

  /** Returns the name in lower case, such as {@code cosine}. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
