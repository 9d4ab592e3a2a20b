/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.optimizer;

import java.io.Serializable;

/**
 * For the engine: numbers that an optimizer keeps beside each row, float32.
 *
 * @param initial what they are before the first update
 */
public record OptimizerSlot(String name, Width width, float initial) implements Serializable {
  /** How many numbers a row has. */
  public enum Width {
    /** One. */
    ROW,
    /** As many as elements. */
    ELEMENT
  }

  static OptimizerSlot element(String name, double initial) {
    return new OptimizerSlot(name, Width.ELEMENT, (float) initial);
  }

  static OptimizerSlot row(String name, double initial) {
    return new OptimizerSlot(name, Width.ROW, (float) initial);
  }
}
