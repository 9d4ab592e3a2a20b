/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.optimizer;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.io.Serializable;

/** What happens to the gradient of a row, summed over a mini-batch, that is NaN or infinite. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
@JsonSubTypes({
  @JsonSubTypes.Type(value = BadGradients.Refused.class, name = "error"),
  @JsonSubTypes.Type(value = BadGradients.Skipped.class, name = "skip"),
  @JsonSubTypes.Type(value = BadGradients.Bounded.class, name = "clip")
})
public sealed interface BadGradients extends Serializable {

  /** The training fails, with an error that names step, shard and id. */
  static BadGradients error() {
    return new Refused();
  }

  /** The row keeps its weights and its state in this step. */
  static BadGradients skip() {
    return new Skipped();
  }

  /**
   * NaN becomes 0, and every other element of the row's gradient is brought into {@code [-limit,
   * limit]}. Rows whose gradient is finite stay as they are; {@link Clip} is for those.
   *
   * @param limit above 0
   */
  static BadGradients clip(double limit) {
    return new Bounded(limit);
  }

  /** For the engine: whether all elements are finite. */
  static boolean isFinite(float[] values, int from, int count) {
    float sum = 0;
    for (int i = from; i < from + count; i++) {
      sum += values[i] * 0; // 0 or -0 for a finite number, else NaN
    }
    return sum == 0;
  }

  /** See {@link BadGradients#error}. */
  record Refused() implements BadGradients {}

  /** See {@link BadGradients#skip}. */
  record Skipped() implements BadGradients {}

  /** See {@link BadGradients#clip}. */
  record Bounded(double limit) implements BadGradients {
    public Bounded {
      OptimizerBounds.positive("clip of bad gradients", limit);
    }

    /** For the engine: clips in place. */
    public void apply(float[] gradient, int from, int count) {
      float high = (float) limit;
      for (int i = from; i < from + count; i++) {
        float clipped = Math.min(Math.max(gradient[i], -high), high);
        gradient[i] = Float.isNaN(clipped) ? 0 : clipped;
      }
    }
  }
}
