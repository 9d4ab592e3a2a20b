/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.examples.support;

import io.sparknd.embedding.EmbeddingTable;
import java.io.Serializable;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Rows of a trained table on the driver, {@code [count, dim]}.
 *
 * @param values row-major
 */
public record TrainedRows(float[] values, int dim) implements Serializable {
  /** Collects all rows of a table, which must fit into driver memory. */
  public static TrainedRows of(EmbeddingTable table) {
    return new TrainedRows((float[]) table.weights().collect().array(), table.dim());
  }

  /** The number of rows. */
  public int count() {
    return values.length / dim;
  }

  /** Returns rows {@code [0, end)}. */
  public TrainedRows first(int end) {
    return new TrainedRows(Arrays.copyOf(values, end * dim), dim);
  }

  /** Returns the inner product of two rows. */
  public double dot(int a, int b) {
    double sum = 0;
    for (int d = 0; d < dim; d++) {
      sum += (double) values[a * dim + d] * values[b * dim + d];
    }
    return sum;
  }

  /** Returns the cosine of the angle between two rows; 0 if one of them is all zeros. */
  public double cosine(int a, int b) {
    double lengths = Math.sqrt(dot(a, a) * dot(b, b));
    return lengths == 0 ? 0 : dot(a, b) / lengths;
  }

  /** Returns the {@code k} other rows with the smallest angles to a row, nearest first. */
  public List<Integer> nearest(int row, int k) {
    double[] cosines = IntStream.range(0, count()).mapToDouble(i -> cosine(row, i)).toArray();
    return IntStream.range(0, count())
        .filter(i -> i != row)
        .boxed()
        .sorted(Comparator.comparingDouble(i -> -cosines[i]))
        .limit(k)
        .toList();
  }
}
