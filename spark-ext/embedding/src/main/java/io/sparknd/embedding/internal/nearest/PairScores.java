/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.nearest;

import io.sparknd.embedding.nearest.VectorMetric;
import java.util.Arrays;

/**
 * Scores one query at a time with a tile of rows. The tile is transposed, so that the loop over its
 * rows is vectorized and the sum of each pair is still a left fold in the order of the elements.
 */
final class PairScores {
  /** Bytes of a tile, which stays in the cache while all queries of a block use it. */
  private static final int TILE_BYTES = 64 << 10;

  private static final int MIN_ROWS = 32;
  private static final int MAX_ROWS = 512;

  private final VectorMetric metric;
  private final int dim;
  private final int capacity;

  /** {@code [dim, capacity]} */
  private final double[] tile;

  private final double[] norms;
  private final double[] scores;
  private final double[] query;
  private int count;

  PairScores(VectorMetric metric, int dim) {
    this.metric = metric;
    this.dim = dim;
    this.capacity = capacity(dim);
    this.tile = new double[dim * capacity];
    this.norms = new double[capacity];
    this.scores = new double[capacity];
    this.query = new double[dim];
  }

  /** Returns the number of rows of a tile. */
  static int capacity(int dim) {
    return Math.max(MIN_ROWS, Math.min(MAX_ROWS, TILE_BYTES / Double.BYTES / dim));
  }

  int capacity() {
    return capacity;
  }

  /**
   * Replaces the tile.
   *
   * @param rows {@code [count, dim]}
   * @param count rows, at most {@link #capacity()}
   */
  void load(float[] rows, int count) {
    this.count = count;
    for (int row = 0; row < count; row++) {
      for (int j = 0; j < dim; j++) {
        tile[j * capacity + row] = rows[row * dim + j];
      }
      norms[row] = norm(rows, row * dim);
    }
  }

  /** Returns the Euclidean norm of a vector. */
  private double norm(float[] vectors, int at) {
    double squares = 0;
    for (int j = 0; j < dim; j++) {
      squares += (double) vectors[at + j] * vectors[at + j];
    }
    return Math.sqrt(squares);
  }

  /**
   * Returns the scores of the query at {@code queries[at ..]} with each row of the tile; valid
   * until the next call. Larger is nearer: the Euclidean distance is negated.
   */
  double[] of(float[] queries, int at) {
    for (int j = 0; j < dim; j++) {
      query[j] = queries[at + j];
    }
    Arrays.fill(scores, 0, count, 0);
    switch (metric) {
      case DOT -> addProducts();
      case COSINE -> {
        addProducts();
        divide(norm(queries, at));
      }
      case EUCLIDEAN -> {
        addSquares();
        negateRoots();
      }
    }
    return scores;
  }

  private void addProducts() {
    int j = 0;
    for (; j + 4 <= dim; j += 4) {
      addFour(tile, j * capacity, capacity, count, query, j, scores);
    }
    for (; j < dim; j++) {
      double q = query[j];
      for (int row = 0; row < count; row++) {
        scores[row] += q * tile[j * capacity + row];
      }
    }
  }

  /** Adds the products of four elements, one after the other, with one store for the four. */
  private static void addFour(
      double[] tile, int at, int step, int count, double[] query, int j, double[] sums) {
    double q0 = query[j];
    double q1 = query[j + 1];
    double q2 = query[j + 2];
    double q3 = query[j + 3];
    int second = at + step;
    int third = second + step;
    int fourth = third + step;
    for (int row = 0; row < count; row++) {
      sums[row] =
          (((sums[row] + q0 * tile[at + row]) + q1 * tile[second + row]) + q2 * tile[third + row])
              + q3 * tile[fourth + row];
    }
  }

  private void addSquares() {
    for (int j = 0; j < dim; j++) {
      addSquares(tile, j * capacity, count, query[j], scores);
    }
  }

  private static void addSquares(double[] tile, int at, int count, double q, double[] sums) {
    for (int row = 0; row < count; row++) {
      double difference = q - tile[at + row];
      sums[row] += difference * difference;
    }
  }

  /** Rounding may exceed 1 in the last place, so it is cut to 1, the cosine of parallel vectors. */
  private void divide(double norm) {
    for (int row = 0; row < count; row++) {
      double divisor = norm * norms[row];
      scores[row] = divisor == 0 ? 0 : Math.max(-1, Math.min(1, scores[row] / divisor));
    }
  }

  private void negateRoots() {
    for (int row = 0; row < count; row++) {
      scores[row] = -Math.sqrt(scores[row]);
    }
  }
}
