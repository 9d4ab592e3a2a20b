/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.lifecycle;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.sparknd.embedding.internal.EmbeddingErrors;
import java.io.Serializable;

/** When a key gets a row in an embedding table. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
@JsonSubTypes({
  @JsonSubTypes.Type(value = RowAdmission.Immediate.class, name = "immediate"),
  @JsonSubTypes.Type(value = RowAdmission.Counted.class, name = "counted")
})
public sealed interface RowAdmission extends Serializable {

  /** Gives a key a row with its first gradient. */
  static RowAdmission immediate() {
    return new Immediate();
  }

  /**
   * Gives a key a row in the {@code steps}th step that has a gradient of it, however often the key
   * occurs in a step; a gradient that {@code BadGradients.skip()} skips does not count. Gradients
   * of earlier steps are dropped, and until then the key reads as the initializer's value. Counts
   * are exact, one for each key that occurred and has no row; an evicted key starts again from 0.
   *
   * @param steps at least 1, which is the same as {@link #immediate}
   */
  static RowAdmission after(long steps) {
    return new Counted(steps);
  }

  /** See {@link RowAdmission#immediate}. */
  record Immediate() implements RowAdmission {}

  /** See {@link RowAdmission#after}. */
  record Counted(long steps) implements RowAdmission {
    public Counted {
      if (steps < 1) {
        throw EmbeddingErrors.badAdmission(steps);
      }
    }
  }
}
