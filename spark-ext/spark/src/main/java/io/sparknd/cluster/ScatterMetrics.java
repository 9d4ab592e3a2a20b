/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster;

import java.util.Locale;

/**
 * What a scatter did, summed over its tasks; a task that ran twice counts once.
 *
 * @param updates that it was given, of slices
 * @param dropped updates whose index was out of bounds where that is ignored
 * @param combined updates that were folded into others before they were sent
 * @param bytesExchanged offsets and values that went to the partitions, before compression
 * @param blocksCopied blocks that the new version does not share with the one before
 * @param hotSlices slices of so many updates that tasks of their own folded them, in columns; of
 *     slices that are larger than a block, pieces
 * @param hottestPartition most updates that the slices of one partition got, whichever task folded
 *     them
 * @param largestPartition most updates that one task folded, of a column the part that it is of its
 *     slice
 * @param medianPartition the median of them
 * @param slowestSeconds longest time that one task took to read and fold its updates
 * @param medianSeconds the median of them
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

  /** All of it in one line. */
  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "%d updates, %d dropped, %d combined, %d bytes exchanged, %d blocks copied;"
            + " hottest partition %d updates, %d hot slices folded apart;"
            + " updates a task: median %d, most %d; seconds a task: median %.3f, most %.3f;"
            + " kernel %s",
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
