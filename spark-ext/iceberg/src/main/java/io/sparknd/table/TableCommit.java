/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table;

import java.util.Locale;

/**
 * What a scatter into a table did.
 *
 * @param snapshot id of the snapshot that holds it; of a replayed batch, the one that first did; -1
 *     where there was nothing to do and the table has none
 * @param outcome what came of the call
 * @param updates that were given, of slices
 * @param dropped updates whose index was out of bounds where that is ignored
 * @param rows of the table that were updated
 * @param blocks that hold them
 * @param filesAdded data files and files of deletion vectors
 * @param filesReplaced data files
 * @param bytesWritten in the files added
 * @param attempts 1, and one more for every commit of others that was faster
 */
public record TableCommit(
    long snapshot,
    Outcome outcome,
    long updates,
    long dropped,
    long rows,
    long blocks,
    long filesAdded,
    long filesReplaced,
    long bytesWritten,
    int attempts) {

  /** What came of a call. */
  public enum Outcome {
    /** A new snapshot holds the updates. */
    COMMITTED,
    /**
     * A new snapshot holds the updates, which no branch has until it is published: {@code
     * spark.wap.id} asks for that.
     */
    STAGED,
    /** The batch was in the table already; nothing was done. */
    REPLAYED,
    /** There was no update to apply, all dropped ones aside, and no batch to remember. */
    EMPTY
  }

  /** Nothing done: the table is as it was. */
  public static TableCommit none(Outcome outcome, long snapshot) {
    return new TableCommit(snapshot, outcome, 0, 0, 0, 0, 0, 0, 0, 1);
  }

  /** The same, of so many updates. */
  public TableCommit of(long given, long droppedOfThem) {
    return new TableCommit(
        snapshot,
        outcome,
        given,
        droppedOfThem,
        rows,
        blocks,
        filesAdded,
        filesReplaced,
        bytesWritten,
        attempts);
  }

  /** All of it in one line. */
  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "%s snapshot %d: %d updates, %d dropped; %d rows in %d blocks; %d files added, %d replaced,"
            + " %d bytes written; attempt %d",
        outcome.name().toLowerCase(Locale.ROOT),
        snapshot,
        updates,
        dropped,
        rows,
        blocks,
        filesAdded,
        filesReplaced,
        bytesWritten,
        attempts);
  }
}
