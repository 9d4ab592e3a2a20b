/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.kernel;

/** The slice offset of each slot of a call. */
@FunctionalInterface
interface OffsetSource {
  /** Slots read at a time, so few that offsets and addresses stay in the first-level cache. */
  int CHUNK = 1024;

  /**
   * Writes the offsets of slots {@code [slot, slot + count)} to {@code out}, with a negative value
   * for a dropped slot.
   *
   * @throws io.sparknd.tensor.SparkNdException if offsets are resolved by this call and the policy
   *     rejects a tuple
   */
  void read(long slot, int count, long[] out);
}
