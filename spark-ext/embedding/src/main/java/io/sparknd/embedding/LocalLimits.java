/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding;

import java.util.concurrent.TimeUnit;

/**
 * The limits of a {@link LocalRun}.
 *
 * @param partitionBytes the most bytes of all partitions; the version before has as many
 * @param rowBytes the most bytes of rows that shards request at once; gradients have as many
 * @param nanos the time after which no step begins, so that a job does not hold cores for long
 */
record LocalLimits(long partitionBytes, long rowBytes, long nanos) {
  private static final int PARTITIONS_SHARE = 4;
  private static final int ROWS_SHARE = 16;
  private static final long NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  /** Returns the limits for the heap of this JVM. */
  static LocalLimits ofHeap() {
    long heap = Runtime.getRuntime().maxMemory();
    return new LocalLimits(heap / PARTITIONS_SHARE, heap / ROWS_SHARE, NANOS);
  }
}
