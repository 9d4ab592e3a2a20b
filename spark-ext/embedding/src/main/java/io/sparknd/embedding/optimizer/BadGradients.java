/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.optimizer;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.sparknd.kernel.cpu.FloatRows;
import java.io.Serializable;

/** Handling of a row's gradient, summed over a mini-batch, that is NaN or infinite. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
@JsonSubTypes({
  @JsonSubTypes.Type(value = BadGradients.Rejected.class, name = "error"),
  @JsonSubTypes.Type(value = BadGradients.Skipped.class, name = "skip"),
  @JsonSubTypes.Type(value = BadGradients.Bounded.class, name = "clip")
})
public sealed interface BadGradients extends Serializable {

  /**
   * Fails the training with an error that names the step and id, and the shard if its own gradient
   * is bad. An updated weight or optimizer state that is NaN or infinite is an error too.
   */
  static BadGradients error() {
    return new Rejected();
  }

  /** Skips the update: the row keeps its weights and optimizer state in this step. */
  static BadGradients skip() {
    return new Skipped();
  }

  /**
   * Replaces NaN by 0 and clips every other element of the row's gradient to {@code [-limit,
   * limit]}. Finite gradients are unchanged; {@link Clip} is for those.
   *
   * @param limit above 0
   */
  static BadGradients clip(double limit) {
    return new Bounded(limit);
  }

  /** For the engine: returns whether all elements are finite. */
  static boolean isFinite(float[] values, int from, int count) {
    return FloatRows.isFinite(values, from, count);
  }

  /** See {@link BadGradients#error}. */
  record Rejected() implements BadGradients {}

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
