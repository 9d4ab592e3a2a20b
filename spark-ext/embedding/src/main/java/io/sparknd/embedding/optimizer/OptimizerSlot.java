/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.optimizer;

import java.io.Serializable;

/**
 * For the engine: float32 state that an optimizer stores for each row.
 *
 * @param name name of the state
 * @param width values per row
 * @param initial value before the first update
 */
public record OptimizerSlot(String name, Width width, float initial) implements Serializable {
  /** Number of values per row. */
  public enum Width {
    /** One. */
    ROW,
    /** One per element. */
    ELEMENT
  }

  static OptimizerSlot element(String name, double initial) {
    return new OptimizerSlot(name, Width.ELEMENT, (float) initial);
  }

  static OptimizerSlot row(String name, double initial) {
    return new OptimizerSlot(name, Width.ROW, (float) initial);
  }
}
