/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.optimizer;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.io.Serializable;

/**
 * A bound on the gradient of a row. Clipping by the global norm over all rows is not supported:
 * that norm is known only when every row's gradient is summed, and rows are updated before that.
 */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
@JsonSubTypes({
  @JsonSubTypes.Type(value = Clip.None.class, name = "none"),
  @JsonSubTypes.Type(value = Clip.ByValue.class, name = "byValue"),
  @JsonSubTypes.Type(value = Clip.ByNorm.class, name = "byNorm")
})
public sealed interface Clip extends Serializable {

  static Clip none() {
    return new None();
  }

  /**
   * Clips each element to {@code [-limit, limit]}, as {@code tf.clip_by_value}.
   *
   * @param limit above 0
   */
  static Clip byValue(double limit) {
    return new ByValue(limit);
  }

  /**
   * Scales a gradient whose Euclidean norm exceeds {@code limit} to it, as {@code tf.clip_by_norm}:
   * {@code gradient * limit / norm}. Other gradients are unchanged. Computed in float32, in float64
   * if the squares of a finite gradient overflow, which {@code tf.clip_by_norm} makes zero.
   *
   * @param limit above 0
   */
  static Clip byNorm(double limit) {
    return new ByNorm(limit);
  }

  /** For the engine: clips a row's gradient, which is the whole array, in place. */
  void apply(float[] gradient);

  /** No bound. */
  record None() implements Clip {
    @Override
    public void apply(float[] gradient) {}
  }

  /** See {@link Clip#byValue}. */
  record ByValue(double limit) implements Clip {
    public ByValue {
      OptimizerBounds.positive("clip by value", limit);
    }

    @Override
    public void apply(float[] gradient) {
      float high = (float) limit;
      for (int i = 0; i < gradient.length; i++) {
        gradient[i] = Math.min(Math.max(gradient[i], -high), high);
      }
    }
  }

  /** See {@link Clip#byNorm}. */
  record ByNorm(double limit) implements Clip {
    public ByNorm {
      OptimizerBounds.positive("clip by norm", limit);
    }

    @Override
    public void apply(float[] gradient) {
      float most = (float) limit;
      float norm = SquareSums.norm(gradient, 0, gradient.length);
      if (norm <= most) {
        return;
      }
      if (norm == Float.POSITIVE_INFINITY && BadGradients.isFinite(gradient, 0, gradient.length)) {
        applyWide(gradient, most);
        return;
      }
      for (int i = 0; i < gradient.length; i++) {
        gradient[i] = gradient[i] * most / norm;
      }
    }

    /** Computes in float64 what overflows in float32: the squares of elements above 1.8e19. */
    private static void applyWide(float[] gradient, float most) {
      double norm = SquareSums.wideNorm(gradient, 0, gradient.length);
      if (norm <= most) {
        return;
      }
      for (int i = 0; i < gradient.length; i++) {
        gradient[i] = (float) (gradient[i] * (double) most / norm);
      }
    }
  }
}
