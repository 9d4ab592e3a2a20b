/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding;

import java.io.Serializable;

/**
 * The last checkpoint that a version of a table was saved to, loaded from or derived from.
 *
 * @param base id of the full save
 * @param id id of the last delta, or of the full save
 * @param number deltas after the full save, up to this one
 * @param steps steps of the table at the checkpoint
 */
record TableCheckpoint(String base, String id, int number, long steps) implements Serializable {
  /** Returns a description for messages. */
  @Override
  public String toString() {
    return (number == 0 ? "the save " + id : "delta " + number + " of the save " + base)
        + " at step "
        + steps;
  }
}
