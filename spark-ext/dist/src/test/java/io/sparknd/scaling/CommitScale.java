/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.scaling;

/**
 * What commits into a table write, and what its metadata lists. It is derived from {@code
 * TaskCounts}, {@code FileMergePolicy}, {@code DeletionVectorFile} and {@code BlockDelta}. Updates
 * are uniform over the rows of the table, each row has been written once, and no commit names eight
 * ninths of the rows of a file.
 *
 * @param rows rows of the table
 * @param blocks blocks of a tensor table, or buckets of a feature table
 * @param updates distinct rows that a commit names
 * @param tasks tasks that write
 */
record CommitScale(long rows, long blocks, long updates, long tasks) {
  /** Bytes of updates that make one more task. */
  static final long TASK_BYTES = 64L << 20;

  /** Buckets of a feature table whose expected rows are not known. */
  static final int DEFAULT_BUCKETS = 16;

  /** Small files of a block from which on they are merged. */
  static final int SMALL_FILES = 16;

  /** Deleted rows that tasks leave to the driver. */
  static final long DEFERRED_ROWS = 1 << 18;

  /** Bytes of a file and its vector in the broadcast to tasks, before compression, about. */
  static final int ENTRY_BYTES = 850;

  /** Returns commits whose tasks are as many as the code starts. */
  static CommitScale of(long rows, long blocks, long updates, long rowBytes, long cores) {
    long bySize = updates * rowBytes / TASK_BYTES;
    return new CommitScale(rows, blocks, updates, Math.min(blocks, Math.max(cores, bySize)));
  }

  /**
   * Returns the bytes of a row that Spark's exchange sends to a feature table of one array: the
   * length; flags of NULLs and a word each for block, stage, key, position and value; the key, and
   * the array with its length and flags.
   *
   * @param keyBytes bytes of the key, a multiple of 8
   * @param valueBytes bytes of at most 64 values, a multiple of 8
   */
  static long featureRowBytes(long keyBytes, long valueBytes) {
    return Integer.BYTES + 6 * Long.BYTES + keyBytes + 2 * Long.BYTES + valueBytes;
  }

  /** Blocks that a commit names. */
  long touched() {
    return Math.round(blocks * (1 - Math.pow(1 - 1.0 / blocks, updates)));
  }

  /** Files of deletion vectors that a commit adds: one of the driver, or one of each task. */
  long vectorFiles() {
    return updates <= DEFERRED_ROWS ? 1 : Math.min(tasks, touched());
  }

  /** Data files, vector files, two manifests, a manifest list and a file of table metadata. */
  long newObjects() {
    return touched() + vectorFiles() + 4;
  }

  /** Data files after some commits, before small files are merged. */
  long dataFiles(int commits) {
    return blocks + commits * touched();
  }

  /** Bytes of the entries of all data files that the driver sends to each executor. */
  long planBytes(int commits) {
    return dataFiles(commits) * ENTRY_BYTES;
  }
}
