/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.lookup;

import io.sparknd.embedding.lookup.Combiner;
import io.sparknd.embedding.lookup.Lookup;
import java.util.Arrays;

/** Combines float32 rows. */
@SuppressWarnings("cast") // of the class for float64 that is generated from this one
final class FloatListFold extends ListFold {
  private final Combiner combiner;
  private final float maxNorm;
  private final float[] sum;
  private final float[] clipped;
  private float weights;
  private boolean isEmpty;

  FloatListFold(int elements, Lookup how) {
    this.combiner = how.combiner();
    this.maxNorm = (float) how.maxNorm();
    this.sum = new float[elements];
    this.clipped = new float[elements];
  }

  @Override
  Object allocate(int elements) {
    return new float[elements];
  }

  @Override
  void begin() {
    isEmpty = true;
    weights = 0;
  }

  @Override
  void add(Object rows, int unit, double weight) {
    float[] from = (float[]) rows;
    float norm = maxNorm == Float.POSITIVE_INFINITY ? 0 : norm(from, unit);
    if (norm <= maxNorm) {
      addWeighted(from, unit, (float) weight);
    } else {
      clip(from, unit, norm);
      addWeighted(clipped, 0, (float) weight);
    }
    isEmpty = false;
  }

  private void clip(float[] from, int at, float norm) {
    double largest = norm == Float.POSITIVE_INFINITY ? largest(from, at) : Double.NaN;
    if (Double.isFinite(largest)) {
      clipWide(from, at, largest);
      return;
    }
    for (int i = 0; i < clipped.length; i++) {
      clipped[i] = from[at + i] * maxNorm / norm;
    }
  }

  /** Returns the largest magnitude; NaN if an element is NaN. */
  private double largest(float[] from, int at) {
    double largest = 0;
    for (int i = 0; i < clipped.length; i++) {
      largest = Math.max(largest, Math.abs(from[at + i]));
    }
    return largest;
  }

  /** Divides by the largest element first, since squares overflow. */
  private void clipWide(float[] from, int at, double largest) {
    double squares = 0;
    for (int i = 0; i < clipped.length; i++) {
      squares += from[at + i] / largest * (from[at + i] / largest);
    }
    double root = Math.sqrt(squares);
    boolean isWithin = largest * root <= maxNorm;
    for (int i = 0; i < clipped.length; i++) {
      clipped[i] = isWithin ? from[at + i] : (float) (from[at + i] / largest * (maxNorm / root));
    }
  }

  private float norm(float[] from, int at) {
    float squares = 0;
    for (int i = 0; i < sum.length; i++) {
      squares += from[at + i] * from[at + i];
    }
    return (float) Math.sqrt(squares);
  }

  private void addWeighted(float[] from, int at, float weight) {
    float[] to = sum;
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
    float[] to = (float[]) target;
    float divisor = divisor();
    if (isEmpty || divisor == 0) {
      Arrays.fill(to, at, at + sum.length, 0);
      return;
    }
    for (int i = 0; i < sum.length; i++) {
      to[at + i] = sum[i] / divisor;
    }
  }

  private float divisor() {
    return switch (combiner) {
      case SUM -> 1;
      case MEAN -> weights;
      case SQRTN -> (float) Math.sqrt(weights);
    };
  }
}
