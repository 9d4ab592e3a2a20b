/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.store;

import io.sparknd.cluster.internal.partition.BlockLayout;
import io.sparknd.table.internal.TableErrors;
import io.sparknd.table.internal.file.RowFormat;
import io.sparknd.table.options.TensorSpec;

/** Chooses the block size of a new table, unless its creator sets it. */
final class BlockSizes {
  private static final double MIN_BYTES = 4 << 20;
  private static final double MAX_BYTES = 64 << 20;
  private static final double BLOCKS = 64;

  private BlockSizes() {}

  /** Returns the entries of the first dimension per block. */
  static long rowsPerBlock(TensorSpec spec, RowFormat rows) {
    long first = rows.shape().dim(0);
    long perBlock = spec.rowsPerBlock().orElseGet(() -> defaultRowsPerBlock(spec, rows));
    long most = Math.min(perBlock, first);
    if (most > Integer.MAX_VALUE) {
      throw TableErrors.rowsPerBlockTooLarge(most);
    }
    return most;
  }

  /** Returns a power of two, computed from the expected rows and their size. */
  private static long defaultRowsPerBlock(TensorSpec spec, RowFormat rows) {
    double all = rows.outer().elements();
    double written = Math.min(all, spec.expectedRows().orElse(Long.MAX_VALUE));
    double rowBytes = (double) rows.slice().elements() * BlockLayout.elementBytes(rows.dtype());
    double blockBytes = Math.max(MIN_BYTES, Math.min(MAX_BYTES, written * rowBytes / BLOCKS));
    double blocks = Math.max(1, written * rowBytes / blockBytes);
    double perBlock = rows.shape().dim(0) / blocks;
    return Long.highestOneBit((long) Math.max(1, Math.min(perBlock * 1.5, 1 << 30)));
  }
}
