/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.kernel.cpu;

import java.util.Arrays;

/**
 * Loops over the elements of rows of float32, which are parts of longer arrays. With the Vector
 * API, if the JVM has it, they have the bits of the plain loops: no operation is fused, and no sum
 * goes over several elements.
 */
public final class FloatRows {
  private static final boolean HAS_VECTORS = VectorModule.isPresent();

  private FloatRows() {}

  /**
   * Copies {@code from[at .. at + dim)} to {@code to[place .. place + dim)}, which is another
   * array. For rows of some vectors that are anywhere in memory: the CPU fetches several at once if
   * no call is between them.
   */
  public static void copy(float[] from, int at, float[] to, int place, int dim) {
    int done = HAS_VECTORS ? FloatRowVectors.copy(from, at, to, place, dim) : 0;
    if (done < dim) {
      System.arraycopy(from, at + done, to, place + done, dim - done);
    }
  }

  /** Copies a row as {@link #copy} does, and leaves zeros in its place. */
  public static void take(float[] from, int at, float[] to, int place, int dim) {
    int done = HAS_VECTORS ? FloatRowVectors.take(from, at, to, place, dim) : 0;
    if (done < dim) {
      System.arraycopy(from, at + done, to, place + done, dim - done);
      Arrays.fill(from, at + done, at + dim, 0);
    }
  }

  /** Returns whether all of {@code values[from .. from + count)} are finite. */
  public static boolean isFinite(float[] values, int from, int count) {
    int done = HAS_VECTORS ? FloatRowVectors.finite(values, from, count) : 0;
    return done >= 0 && isFinitePlain(values, from + done, count - done);
  }

  private static boolean isFinitePlain(float[] values, int from, int count) {
    float sum = 0;
    for (int i = from; i < from + count; i++) {
      sum += values[i] * 0; // 0 or -0 for a finite number, else NaN
    }
    return sum == 0;
  }

  /**
   * Makes one step of Adagrad: {@code accumulator += slope * slope}, then {@code weight -= rate *
   * slope / (sqrt(accumulator + inside) + outside)}.
   *
   * @param weights contains the row, from element {@code at}; changed
   * @param accumulators contains the row's sums of squares, from element {@code own}; changed
   * @param slopes contains the row's gradient, from element {@code from}
   * @param dim number of elements
   */
  public static void adagrad(
      float[] weights,
      int at,
      float[] accumulators,
      int own,
      float[] slopes,
      int from,
      int dim,
      AdagradStep step) {
    int i =
        HAS_VECTORS
            ? FloatRowVectors.adagrad(weights, at, accumulators, own, slopes, from, dim, step)
            : 0;
    for (; i < dim; i++) {
      float slope = slopes[from + i];
      float accumulator = accumulators[own + i] + slope * slope;
      accumulators[own + i] = accumulator;
      float root = (float) Math.sqrt(accumulator + step.inside()) + step.outside();
      weights[at + i] = weights[at + i] - step.rate() * slope / root;
    }
  }

  /**
   * The numbers of a step of Adagrad.
   *
   * @param inside added to the accumulator
   * @param outside added to the root
   */
  public record AdagradStep(float rate, float inside, float outside) {}

  /**
   * Makes one step of Adam: {@code m += (slope - m) * fresh1}, {@code v += (slope * slope - v) *
   * fresh2}, then {@code weight -= m * rate / (sqrt(v) + epsilon)}.
   *
   * @param weights contains the row, from element {@code at}; changed
   * @param ms contains the row's means, from element {@code own}; changed
   * @param vs contains the row's means of squares, from element {@code own}; changed
   * @param slopes contains the row's gradient, from element {@code from}
   * @param dim number of elements
   */
  public static void adam(
      float[] weights,
      int at,
      float[] ms,
      float[] vs,
      int own,
      float[] slopes,
      int from,
      int dim,
      AdamStep step) {
    int i =
        HAS_VECTORS ? FloatRowVectors.adam(weights, at, ms, vs, own, slopes, from, dim, step) : 0;
    for (; i < dim; i++) {
      float slope = slopes[from + i];
      float m = ms[own + i] + (slope - ms[own + i]) * step.fresh1();
      float v = vs[own + i] + (slope * slope - vs[own + i]) * step.fresh2();
      ms[own + i] = m;
      vs[own + i] = v;
      float root = (float) Math.sqrt(v) + step.epsilon();
      weights[at + i] = weights[at + i] - m * step.rate() / root;
    }
  }

  /**
   * The numbers of a step of Adam.
   *
   * @param rate the learning rate with the correction of the step
   * @param fresh1 the share of the gradient in its mean
   * @param fresh2 the share of the gradient's square in its mean
   */
  public record AdamStep(float rate, float fresh1, float fresh2, float epsilon) {}
}
