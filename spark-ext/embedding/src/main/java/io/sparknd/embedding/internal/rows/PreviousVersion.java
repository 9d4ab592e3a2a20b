/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.rows;

/** What becomes of the version from which a step computes the next one. */
public enum PreviousVersion {
  /** It remains readable: every block that the step writes to is copied. */
  KEPT,
  /**
   * It was taken out of the cache, and no task reads it again: blocks that no other version has are
   * updated in place.
   */
  TAKEN
}
