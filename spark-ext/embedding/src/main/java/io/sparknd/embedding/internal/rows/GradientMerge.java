/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.rows;

import io.sparknd.cluster.internal.shuffle.ShuffleBatch;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/**
 * Sums the gradients of one mini-batch by row. Shards name numbered rows in ascending order, see
 * {@link IdOrder}: their runs are merged, which takes no hash table, and the gradient of a row that
 * only one shard has is not copied. The gradients of keys, whose rows are numbered in the order of
 * arrival, those of many shards and many bytes of them go to {@link GradientSums}. In either case
 * the gradients of a row are added in the order of arrival.
 */
final class GradientMerge {
  /** Runs that are merged; each row takes a comparison with each run. */
  private static final int MAX_RUNS = 8;

  private final int dim;
  private final boolean isMerging;
  private final long maxBytes;
  private final GradientSums sums;
  private final GradientRun[] runs = new GradientRun[MAX_RUNS];

  /** Number of runs. */
  private int count;

  /** The gradients in {@code runs} in the order of arrival. */
  private final List<ShuffleBatch> batches = new ArrayList<>();

  private long bytes;

  /** The sums in a window of rows that several runs have. */
  private final float[] common;

  /** The next row of {@link GradientSums}. */
  private int next;

  /**
   * Makes a merge without gradients.
   *
   * @param maxBytes most bytes of gradients that are kept until they are merged
   */
  GradientMerge(int dim, RowDirectory directory, long maxBytes) {
    this.dim = dim;
    this.maxBytes = maxBytes;
    this.isMerging = directory instanceof DenseIdDirectory;
    this.sums = new GradientSums(dim);
    this.common = new float[Math.multiplyExact(GradientWindow.ROWS, dim)];
  }

  /** Adds a batch of float32 gradients. */
  void add(ShuffleBatch batch) {
    if (batch.count() == 0) {
      return;
    }
    if (sums.count() > 0 || !isAddedToRun(batch)) {
      batches.forEach(sums::add);
      batches.clear();
      dropRuns();
      sums.add(batch);
    }
  }

  private boolean isAddedToRun(ShuffleBatch batch) {
    bytes += batch.bytes();
    if (!isMerging || bytes > maxBytes || !GradientRun.isAscending(batch)) {
      return false;
    }
    if (count == 0 || !runs[count - 1].isBefore(batch)) {
      if (count == MAX_RUNS) {
        return false;
      }
      runs[count++] = new GradientRun(dim);
    }
    runs[count - 1].add(batch);
    batches.add(batch);
    return true;
  }

  /** Fills a window with the next rows, each once; leaves it empty after the last one. */
  void next(GradientWindow window) {
    window.clear();
    for (; next < sums.count() && !window.isFull(); next++) {
      window.add(sums.address(next), sums.sums(), next * dim);
    }
    while (!window.isFull()) {
      long address = lowest();
      if (address == GradientRun.END) {
        return;
      }
      addRow(window, address);
    }
  }

  /** Returns the lowest address of the next rows of all runs, or {@link GradientRun#END}. */
  private long lowest() {
    long lowest = GradientRun.END;
    for (int i = 0; i < count; i++) {
      lowest = Math.min(lowest, runs[i].address());
    }
    return lowest;
  }

  /** Adds the sum of the gradients of a row, and advances the runs that have one. */
  private void addRow(GradientWindow window, long address) {
    float[] array = null;
    int offset = 0;
    for (int i = 0; i < count; i++) {
      GradientRun run = runs[i];
      if (run.address() != address) {
        continue;
      }
      if (array == null) {
        array = run.array();
        offset = run.offset();
      } else {
        if (array != common) {
          // copied: adding to zero would lose a -0
          System.arraycopy(array, offset, common, window.count() * dim, dim);
          array = common;
          offset = window.count() * dim;
        }
        add(run, offset);
      }
      run.advance();
    }
    window.add(address, Objects.requireNonNull(array), offset);
  }

  private void add(GradientRun run, int to) {
    float[] from = run.array();
    int at = run.offset();
    for (int i = 0; i < dim; i++) {
      common[to + i] += from[at + i];
    }
  }

  private void dropRuns() {
    Arrays.fill(runs, null);
    count = 0;
  }

  /** Forgets all gradients. */
  void clear() {
    sums.clear();
    batches.clear();
    dropRuns();
    bytes = 0;
    next = 0;
  }
}
