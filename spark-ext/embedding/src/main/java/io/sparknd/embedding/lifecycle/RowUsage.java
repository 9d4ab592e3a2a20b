/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.lifecycle;

/** What a table keeps of the updates of each row, in addition to weights and optimizer state. */
public enum RowUsage {
  /** Nothing. */
  NOTHING,

  /** The step of the last update and the number of updates, 8 bytes each. */
  UPDATES
}
