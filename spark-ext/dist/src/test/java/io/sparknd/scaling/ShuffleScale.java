/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.scaling;

/**
 * What a shuffle of rows to the partitions that own them moves. It is derived from {@code
 * RowBinner}, {@code IndexRowBinner} and {@code BatchSerializer}.
 *
 * @param rows rows that are sent
 * @param rowBytes bytes of a row with its offset, before compression
 * @param rowsOfABatch rows of a full batch
 * @param mapTasks tasks that send
 * @param partitions tasks that receive
 */
record ShuffleScale(long rows, long rowBytes, long rowsOfABatch, long mapTasks, long partitions) {
  /** Partition, source, sequence, count, flag and length of a batch, 4 bytes each. */
  static final int HEADER_BYTES = 24;

  /** The smallest batch that a task reserves for each partition. */
  static final int SMALLEST_BATCH = 8 << 10;

  /** Returns the shuffle of updates, which are not combined, of {@code sliceBytes} each. */
  static ShuffleScale ofUpdates(long updates, long sliceBytes, long mapTasks, long partitions) {
    long row = Long.BYTES + sliceBytes;
    long batch = batchBytes(4 << 20, 256 << 10, partitions);
    return new ShuffleScale(
        updates, row, Long.highestOneBit(Math.max(1, batch / row)), mapTasks, partitions);
  }

  /** Returns the shuffle of index rows of {@code indexRowBytes} each. */
  static ShuffleScale ofIndexRows(long indexRows, long indexRowBytes, long mapTasks, long owners) {
    long row = Long.BYTES + Integer.BYTES + indexRowBytes;
    long batch = batchBytes(64 << 20, 1 << 20, owners);
    return new ShuffleScale(indexRows, row, -Math.floorDiv(-batch, row), mapTasks, owners);
  }

  private static long batchBytes(long budget, long largest, long partitions) {
    return Math.max(SMALLEST_BATCH, Math.min(largest, budget / partitions));
  }

  /** Bytes of offsets and values. */
  long bytes() {
    return rows * rowBytes;
  }

  /** Pairs of a task that sends and one that receives; Spark writes a block for each. */
  long pairs() {
    return mapTasks * partitions;
  }

  /** The most batches: full ones, and one for each pair that has rows. */
  long mostBatches() {
    return rows / rowsOfABatch + Math.min(rows, pairs());
  }

  /** The most bytes in shuffle files, before compression. */
  long mostWritten() {
    return bytes() + HEADER_BYTES * mostBatches();
  }

  /** Mean bytes of a pair. */
  long bytesOfAPair() {
    return bytes() / pairs();
  }

  long tasks() {
    return mapTasks + partitions;
  }

  /** Returns the tasks that may send before pairs have less than the smallest batch. */
  long mostMapTasks() {
    return Math.max(1, bytes() / SMALLEST_BATCH / partitions);
  }
}
