/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.result;

import java.util.Locale;

/**
 * The result of a commit to a table.
 *
 * @param snapshot id of the snapshot that holds the updates; for a replayed batch, the snapshot
 *     that first held it, or -1 if that has expired; -1 if nothing was done and the table has no
 *     snapshot, or the write has no scatter
 * @param outcome how the call ended
 * @param updates number of updates given
 * @param dropped updates dropped as out of bounds, if the scatter ignores such indices, and those
 *     that had no effect on a variable in windows since their tile was evicted before
 * @param rows rows of the table that were updated, or rewritten by a compaction
 * @param blocks blocks that contain these rows
 * @param filesAdded data files and files of deletion vectors
 * @param filesReplaced data files
 * @param bytesWritten bytes of the added files
 * @param attempts 1, plus the number of retries after concurrent commits
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

  /** How a call ended. */
  public enum Outcome {
    /** A new snapshot holds the updates. */
    COMMITTED,
    /**
     * A new snapshot holds the updates, but belongs to no branch until it is published. The session
     * requests this by {@code spark.wap.id}.
     */
    STAGED,
    /** The table already held the batch; nothing was done. */
    REPLAYED,
    /**
     * Nothing was committed: the write has no scatter, no update is in bounds and there is no batch
     * id to record, or no block needs compaction.
     */
    EMPTY
  }

  /** Returns a result without changes to the table. */
  public static TableCommit none(Outcome outcome, long snapshot) {
    return new TableCommit(snapshot, outcome, 0, 0, 0, 0, 0, 0, 0, 1);
  }

  /** Returns a copy with these numbers of updates. */
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

  /** Returns all fields in one line. */
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
