/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.lookup;

import io.sparknd.embedding.lookup.Combiner;
import io.sparknd.embedding.lookup.Lookup;
import java.util.Arrays;

/** Combines float64 rows, in the same way as {@link FloatListFold}. */
final class DoubleListFold extends ListFold {
  private final Combiner combiner;
  private final double maxNorm;
  private final double[] sum;
  private final double[] row;
  private double weights;
  private boolean isEmpty;

  DoubleListFold(int elements, Lookup how) {
    this.combiner = how.combiner();
    this.maxNorm = how.maxNorm();
    this.sum = new double[elements];
    this.row = new double[elements];
  }

  @Override
  Object allocate(int elements) {
    return new double[elements];
  }

  @Override
  void begin() {
    isEmpty = true;
    weights = 0;
  }

  @Override
  void add(Object rows, int unit, double weight) {
    double[] from = (double[]) rows;
    double norm = maxNorm == Double.POSITIVE_INFINITY ? 0 : norm(from, unit);
    if (norm <= maxNorm) {
      addWeighted(from, unit, weight);
    } else {
      for (int i = 0; i < row.length; i++) {
        row[i] = from[unit + i] * maxNorm / norm;
      }
      addWeighted(row, 0, weight);
    }
    isEmpty = false;
  }

  private double norm(double[] from, int at) {
    double squares = 0;
    for (int i = 0; i < row.length; i++) {
      squares += from[at + i] * from[at + i];
    }
    return Math.sqrt(squares);
  }

  private void addWeighted(double[] from, int at, double weight) {
    double[] to = sum;
    if (isEmpty) {
      for (int i = 0; i < to.length; i++) {
        to[i] = from[at + i] * weight;
      }
    } else {
      for (int i = 0; i < to.length; i++) {
        to[i] += from[at + i] * weight;
      }
    }
    weights += combiner == Combiner.SQRTN ? weight * weight : weight;
  }

  @Override
  void end(Object target, int at) {
    double[] to = (double[]) target;
    double divisor = divisor();
    if (isEmpty || divisor == 0) {
      Arrays.fill(to, at, at + sum.length, 0);
      return;
    }
    for (int i = 0; i < sum.length; i++) {
      to[at + i] = sum[i] / divisor;
    }
  }

  private double divisor() {
    return switch (combiner) {
      case SUM -> 1;
      case MEAN -> weights;
      case SQRTN -> Math.sqrt(weights);
    };
  }
}
