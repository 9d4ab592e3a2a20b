/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.loop;

/**
 * What a task of a {@link BarrierLoop} may keep in memory, as shares of its executor's heap.
 *
 * @param partitionBytes the most bytes of its partitions; the version before has as many
 * @param rowBytes the most bytes of rows that its shards request at once
 */
record BarrierLimits(long partitionBytes, long rowBytes) {
  private static final int PARTITIONS_SHARE = 4;
  private static final int ROWS_SHARE = 16;

  /**
   * Returns the limits in this executor.
   *
   * @param tasks tasks of the job that it has
   */
  static BarrierLimits of(int tasks) {
    long bytes = Runtime.getRuntime().maxMemory() / tasks;
    return new BarrierLimits(bytes / PARTITIONS_SHARE, bytes / ROWS_SHARE);
  }
}
