/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.optimizer;

import io.sparknd.embedding.internal.EmbeddingErrors;
import java.util.List;

/**
 * FTRL-proximal (McMahan et al., 2013) as in Keras with its learning rate power of -0.5:
 *
 * <pre>{@code
 * sigma   = (sqrt(n + gradient * gradient) - sqrt(n)) / rate
 * n      += gradient * gradient
 * z      += gradient + 2 * shrinkage * weight - sigma * weight
 * weight  = (clip(z, -l1, l1) - z) / (sqrt(n) / rate + (2 * l2 + beta / rate))
 * }</pre>
 *
 * Weights follow from z and n, which are therefore always stored in float32. Initial weights are
 * soon forgotten, so initialize rows with zeros. The learning rate is a divisor, so schedules must
 * not reach 0.
 *
 * <p>There are three kinds of penalties. {@link #withProximal} sets the paper's. {@link
 * #withShrinkage} sets Keras' {@code l2_shrinkage_regularization_strength}, which changes z, not n.
 * {@link #withL2} adds {@code l2 * weight} to the gradient itself, as a regularizer of the loss
 * does, so it changes n too.
 *
 * @param descent learning rate, L2 and clip
 * @param proximalL1 the paper's lambda 1, at least 0; weights with {@code abs(z) <= l1} are 0
 * @param proximalL2 half the paper's lambda 2, as in Keras, at least 0
 * @param shrinkage Keras' {@code l2_shrinkage_regularization_strength}, at least 0
 * @param beta the paper's beta, at least 0
 * @param initialAccumulator initial value of n, at least 0; above 0 unless beta or proximalL2 is
 */
public record Ftrl(
    DescentOptions descent,
    double proximalL1,
    double proximalL2,
    double shrinkage,
    double beta,
    double initialAccumulator)
    implements Optimizer {
  public Ftrl {
    OptimizerBounds.notNegative("proximal L1", proximalL1);
    OptimizerBounds.notNegative("proximal L2", proximalL2);
    OptimizerBounds.notNegative("shrinkage", shrinkage);
    OptimizerBounds.notNegative("beta", beta);
    OptimizerBounds.notNegative("initial accumulator", initialAccumulator);
    // a first gradient of 0 would divide 0 by 0
    OptimizerBounds.positive(
        "the sum of beta, proximal L2 and initial accumulator",
        beta + proximalL2 + initialAccumulator);
  }

  /** Sets the penalties of the paper, each at least 0. */
  public Ftrl withProximal(double l1, double l2) {
    return new Ftrl(descent, l1, l2, shrinkage, beta, initialAccumulator);
  }

  /** Sets Keras' {@code l2_shrinkage_regularization_strength}, at least 0; 0 by default. */
  public Ftrl withShrinkage(double strength) {
    return new Ftrl(descent, proximalL1, proximalL2, strength, beta, initialAccumulator);
  }

  /** Sets the paper's beta, at least 0. It slows the first steps. */
  public Ftrl withBeta(double other) {
    return new Ftrl(descent, proximalL1, proximalL2, shrinkage, other, initialAccumulator);
  }

  /** Sets the initial value of n, at least 0. */
  public Ftrl withInitialAccumulator(double initial) {
    return new Ftrl(descent, proximalL1, proximalL2, shrinkage, beta, initial);
  }

  @Override
  public Ftrl withDescent(DescentOptions other) {
    return new Ftrl(other, proximalL1, proximalL2, shrinkage, beta, initialAccumulator);
  }

  @Override
  public List<OptimizerSlot> slots() {
    // weights follow from z and n, so in bfloat16 they would be bfloat16 weights
    return List.of(
        OptimizerSlot.element("n", initialAccumulator).inFloat32(),
        OptimizerSlot.element("z", 0).inFloat32());
  }

  @Override
  public RowUpdate update(long step, int dim) {
    float rate = descent.rate(step);
    if (rate == 0) {
      throw EmbeddingErrors.noRateForFtrl(step);
    }
    float l1 = (float) proximalL1;
    float shrink = (float) (2 * shrinkage);
    float fixed = (float) (2 * proximalL2 + beta / descent.schedule().rate(step));
    return descent.before(
        (weights, at, state, row, gradient, from) -> {
          float[] ns = state[0];
          float[] zs = state[1];
          int own = row * dim;
          for (int i = 0; i < dim; i++) {
            float slope = gradient[from + i];
            float before = (float) Math.sqrt(ns[own + i]);
            float n = ns[own + i] + slope * slope;
            float root = (float) Math.sqrt(n);
            float sigma = (root - before) / rate;
            float pulled = shrink == 0 ? slope : slope + shrink * weights[at + i];
            float z = zs[own + i] + (pulled - sigma * weights[at + i]);
            ns[own + i] = n;
            zs[own + i] = z;
            float kept = Math.min(Math.max(z, -l1), l1);
            weights[at + i] = (kept - z) / (root / rate + fixed);
          }
        },
        dim);
  }
}
