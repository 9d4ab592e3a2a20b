/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.scaling;

import io.sparknd.cluster.internal.partition.BlockLayout;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/**
 * The work of {@code docs/explanation/scaling.md} on a cluster, with the assumptions of that page.
 *
 * @param executors executors of {@link #CORES} cores and {@link #HEAP} bytes of heap
 */
record ClusterScale(int executors) {
  static final int CORES = 4;
  static final long HEAP = 16L << 30;

  static final long ROWS = 1_000_000_000L;
  static final int DIM = 64;
  static final long SLICE_BYTES = DIM * 4L;
  static final long UPDATES = 100_000_000L;
  static final long INDEX_ROWS = 100_000_000L;
  static final long INDEX_ROW_BYTES = 16;

  /** Distinct rows of a training step, over all shards. */
  static final long STEP_ROWS = 1_000_000;

  /** Seconds of the driver for a task. */
  static final double TASK_SECONDS = 0.001;

  private static final long RESERVED_BYTES = 300L << 20;
  private static final double STORAGE_SHARE = 0.6;
  private static final long SPLIT_BYTES = 128L << 20;
  private static final long SMALLEST_SPLIT_BYTES = 4L << 20;
  private static final long BLOCK_BYTES = 64L << 20;
  private static final long BUCKET_ROWS = 1 << 17;
  private static final int MOST_EXECUTORS = 100_000;

  static final long TENSOR_BYTES = ROWS * SLICE_BYTES;

  /** Returns the fewest executors for which a condition holds; 0 if it never does. */
  static int first(Predicate<ClusterScale> condition) {
    return IntStream.rangeClosed(1, MOST_EXECUTORS)
        .filter(executors -> condition.test(new ClusterScale(executors)))
        .findFirst()
        .orElse(0);
  }

  long cores() {
    return (long) executors * CORES;
  }

  /** Storage memory of all executors. */
  long storageBytes() {
    return Math.round(executors * STORAGE_SHARE * (HEAP - RESERVED_BYTES));
  }

  /** Partitions of the tensor, as {@link BlockLayout} chooses them. */
  long partitions() {
    return Math.max(cores(), TENSOR_BYTES / BlockLayout.PARTITION_BYTES + 1);
  }

  /** Splits of a file of some bytes, by Spark's defaults. */
  private long splits(long bytes) {
    return Math.max(
        -Math.floorDiv(-bytes, SPLIT_BYTES),
        Math.min(cores(), -Math.floorDiv(-bytes, SMALLEST_SPLIT_BYTES)));
  }

  ShuffleScale scatter() {
    long splits = splits(UPDATES * (Long.BYTES + SLICE_BYTES));
    return ShuffleScale.ofUpdates(UPDATES, SLICE_BYTES, splits, partitions());
  }

  ShuffleScale gather() {
    long splits = splits(INDEX_ROWS * Long.BYTES);
    return ShuffleScale.ofIndexRows(INDEX_ROWS, INDEX_ROW_BYTES, splits, partitions());
  }

  /** The shuffle that a tensor needs whose files are not sorted. */
  ShuffleScale tensor() {
    return ShuffleScale.ofUpdates(ROWS, SLICE_BYTES, splits(TENSOR_BYTES), partitions());
  }

  /** Commits into a tensor table of default blocks: the power of two below 1.5 times 64 MiB. */
  CommitScale tensorTable() {
    long perBlock = Long.highestOneBit(3 * BLOCK_BYTES / 2 / SLICE_BYTES);
    return CommitScale.of(ROWS, -Math.floorDiv(-ROWS, perBlock), UPDATES, SLICE_BYTES, cores());
  }

  /** Commits into a feature table whose expected rows are known. */
  CommitScale featureTable() {
    long buckets = Long.highestOneBit(2 * (ROWS / BUCKET_ROWS) - 1);
    return CommitScale.of(ROWS, buckets, UPDATES, SLICE_BYTES, cores());
  }

  /** Tasks of a gather from the tensor's table. */
  long tableGatherTasks() {
    long bySize = TENSOR_BYTES / CommitScale.TASK_BYTES + 1;
    return Math.min(tensorTable().blocks(), Math.max(cores(), bySize));
  }

  /** A training with as many shards and partitions as cores. */
  StepScale step() {
    return new StepScale(cores(), cores(), STEP_ROWS / cores(), DIM);
  }

  /** Seconds of the driver for some tasks. */
  static double driverSeconds(long tasks) {
    return tasks * TASK_SECONDS;
  }
}
