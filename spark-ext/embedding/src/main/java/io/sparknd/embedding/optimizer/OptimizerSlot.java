/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.optimizer;

import io.sparknd.embedding.internal.EmbeddingErrors;
import java.io.Serializable;

/**
 * State that an optimizer stores for each row. Rules see it as float32.
 *
 * @param name name of the state, not blank
 * @param width values per row
 * @param initial value before the first update, finite
 * @param precision how values are stored between steps
 */
public record OptimizerSlot(String name, Width width, float initial, Precision precision)
    implements Serializable {
  /** Number of values per row. */
  public enum Width {
    /** One. */
    ROW,
    /** One per element. */
    ELEMENT
  }

  /** How values are stored between steps. */
  public enum Precision {
    /**
     * In the dtype of {@link io.sparknd.embedding.EmbeddingSpec#stateDType}. In bfloat16, values
     * are rounded up or down at random, so that their mean is right, by less than 1/128 of the
     * value; initial values are rounded to nearest.
     */
    TABLE,
    /** In float32, always. For values that must not be rounded, such as counts. */
    FLOAT32
  }

  public OptimizerSlot {
    if (name.isBlank()) {
      throw EmbeddingErrors.badSlotName(name);
    }
    OptimizerBounds.finite("initial value of slot " + name, initial);
  }

  /**
   * Returns a slot with one value per element, {@code [dim]} per row, in the table's precision.
   *
   * @param name not blank
   * @param initial finite in float32
   */
  public static OptimizerSlot element(String name, double initial) {
    return new OptimizerSlot(name, Width.ELEMENT, (float) initial, Precision.TABLE);
  }

  /**
   * Returns a slot with one value per row, {@code [1]}, in float32: it takes little memory.
   *
   * @param name not blank
   * @param initial finite in float32
   */
  public static OptimizerSlot row(String name, double initial) {
    return new OptimizerSlot(name, Width.ROW, (float) initial, Precision.FLOAT32);
  }

  /** Returns the same slot, stored in float32 whatever the table's state dtype. */
  public OptimizerSlot inFloat32() {
    return new OptimizerSlot(name, width, initial, Precision.FLOAT32);
  }
}
