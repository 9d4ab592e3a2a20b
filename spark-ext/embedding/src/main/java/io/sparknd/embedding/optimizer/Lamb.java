/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.optimizer;

import java.util.List;

/**
 * LAMB (You et al., 2020), with each row as a layer: {@code m += (gradient - m) * (1 - beta1)},
 * {@code v += (gradient * gradient - v) * (1 - beta2)}, {@code change = m / (1 - beta1^t) /
 * (sqrt(v) / sqrt(1 - beta2^t) + epsilon) + decay * weight}, then {@code weight -= rate * trust *
 * change}, where {@code t} counts all mini-batches from 1. The trust ratio is {@code norm(weights)
 * / norm(change)} of the row, or 1 if either norm is 0. Norms are Euclidean, in the order of {@code
 * numpy.sum}; if squares overflow in float32, they are computed in float64.
 *
 * <p>The paper has one trust ratio per layer, which for an embedding is the whole table. Here it is
 * per row, as in FBGEMM's {@code LAMB}: a mini-batch touches few rows, so the norm of a whole table
 * would be that of rows without a gradient, and it would need every partition before the first row
 * is updated. With a table of one row, the rule is the paper's.
 *
 * <p>The updates are lazy. Rows that a mini-batch does not touch keep weights, m and v, and do not
 * decay. A row with a first gradient late in a training has no bias correction, as in {@link
 * AdamW}; the trust ratio removes most of the difference, since it normalizes the change.
 *
 * @param descent learning rate, L2 and clip
 * @param beta1 decay rate of m, in [0, 1)
 * @param beta2 decay rate of v, in [0, 1)
 * @param epsilon added to the corrected root of v, above 0
 * @param decay the paper's lambda, at least 0
 */
public record Lamb(DescentOptions descent, double beta1, double beta2, double epsilon, double decay)
    implements Optimizer {
  public Lamb {
    OptimizerBounds.fraction("beta1", beta1);
    OptimizerBounds.fraction("beta2", beta2);
    OptimizerBounds.positive("epsilon", epsilon);
    OptimizerBounds.notNegative("weight decay", decay);
  }

  /** Sets the decay rates of m and v, each in [0, 1). */
  public Lamb withBetas(double first, double second) {
    return new Lamb(descent, first, second, epsilon, decay);
  }

  /** Sets the value added to the corrected root of v, above 0. */
  public Lamb withEpsilon(double other) {
    return new Lamb(descent, beta1, beta2, other, decay);
  }

  /** Sets the weight decay, the paper's lambda, at least 0; the trust ratio includes it. */
  public Lamb withWeightDecay(double other) {
    return new Lamb(descent, beta1, beta2, epsilon, other);
  }

  @Override
  public Lamb withDescent(DescentOptions other) {
    return new Lamb(other, beta1, beta2, epsilon, decay);
  }

  @Override
  public List<OptimizerSlot> slots() {
    return List.of(OptimizerSlot.element("m", 0), OptimizerSlot.element("v", 0));
  }

  @Override
  public RowUpdate update(long step, int dim) {
    float rate = descent.rate(step);
    RowUpdate.Rule changes = changes(step, dim);
    float[] change = new float[dim];
    return descent.before(
        (weights, at, state, row, gradient, from) -> {
          System.arraycopy(weights, at, change, 0, dim);
          changes.apply(change, 0, state, row, gradient, from);
          float pace = rate * trust(weights, at, change);
          for (int i = 0; i < dim; i++) {
            weights[at + i] = weights[at + i] - pace * change[i];
          }
        },
        dim);
  }

  private static float trust(float[] weights, int at, float[] change) {
    float norm = SquareSums.norm(weights, at, change.length);
    float length = SquareSums.norm(change, 0, change.length);
    if (norm == Float.POSITIVE_INFINITY || length == Float.POSITIVE_INFINITY) {
      return wideTrust(weights, at, change);
    }
    return norm > 0 && length > 0 ? norm / length : 1;
  }

  /** Computes in float64 what overflows in float32: the squares of elements above 1.8e19. */
  private static float wideTrust(float[] weights, int at, float[] change) {
    double norm = SquareSums.wideNorm(weights, at, change.length);
    double length = SquareSums.wideNorm(change, 0, change.length);
    return norm > 0 && length > 0 ? (float) (norm / length) : 1;
  }

  /** Returns a rule that replaces weights by the change, before the trust ratio. */
  private RowUpdate.Rule changes(long step, int dim) {
    float whole = (float) (1 - StrictMath.pow(beta1, (double) (step + 1)));
    float spread = (float) Math.sqrt(1 - StrictMath.pow(beta2, (double) (step + 1)));
    float fresh1 = (float) (1 - beta1);
    float fresh2 = (float) (1 - beta2);
    float small = (float) epsilon;
    float lambda = (float) decay;
    return (weights, at, state, row, gradient, from) -> {
      float[] ms = state[0];
      float[] vs = state[1];
      int own = row * dim;
      for (int i = 0; i < dim; i++) {
        float slope = gradient[from + i];
        float m = ms[own + i] + (slope - ms[own + i]) * fresh1;
        float v = vs[own + i] + (slope * slope - vs[own + i]) * fresh2;
        ms[own + i] = m;
        vs[own + i] = v;
        float ratio = m / whole / ((float) Math.sqrt(v) / spread + small);
        weights[at + i] = ratio + lambda * weights[at + i];
      }
    };
  }
}
