/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.metrics;

import java.util.Locale;

/**
 * Metrics of one scatter, summed over its tasks; a task that ran twice counts once.
 *
 * @param updates updates of slices in the input
 * @param dropped updates that were ignored because their index was out of bounds
 * @param combined updates that were folded into others before the shuffle
 * @param bytesExchanged bytes of offsets and values sent to the partitions, before compression
 * @param blocksCopied blocks that the new version does not share with the previous one
 * @param hotSlices slices with so many updates that separate tasks folded them, in columns; pieces,
 *     if slices are larger than a block
 * @param hottestPartition the most updates for the slices of one partition, whichever task folded
 *     them
 * @param largestPartition the most updates that one task folded; a column counts as its share of
 *     the slice
 * @param medianPartition the median of the updates that a task folded
 * @param slowestSeconds the longest time that one task took to read and fold its updates
 * @param medianSeconds the median of that time
 * @param kernel the kernel provider that folded
 */
public record ScatterMetrics(
    long updates,
    long dropped,
    long combined,
    long bytesExchanged,
    long blocksCopied,
    long hotSlices,
    long hottestPartition,
    long largestPartition,
    long medianPartition,
    double slowestSeconds,
    double medianSeconds,
    String kernel) {

  /** Formats all metrics in one line. */
  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "%d updates, %d dropped, %d combined, %d bytes shuffled, %d blocks copied; "
            + "largest partition %d updates, %d hot slices split off; updates per task: "
            + "median %d, max %d; seconds per task: median %.3f, max %.3f; kernel %s",
        updates,
        dropped,
        combined,
        bytesExchanged,
        blocksCopied,
        hottestPartition,
        hotSlices,
        medianPartition,
        largestPartition,
        medianSeconds,
        slowestSeconds,
        kernel);
  }
}
