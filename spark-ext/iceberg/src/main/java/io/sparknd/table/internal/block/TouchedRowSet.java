/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.block;

import io.sparknd.tensor.Storage;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Collects the rows of a block that updates name. */
final class TouchedRowSet {
  private final List<ScatterStage> parts;
  private final long perBlock;
  private long[] rows = new long[16];
  private int count;

  /** The rows, once a bit for each row of the block takes less memory than their numbers. */
  private @Nullable BitSet bits;

  /**
   * Creates an empty collection.
   *
   * @param perBlock rows of a full block
   */
  TouchedRowSet(List<ScatterStage> parts, long perBlock) {
    this.parts = parts;
    this.perBlock = perBlock;
  }

  void add(UpdateRun run) {
    int perRow = parts.get(run.part()).perRow();
    for (int i = 0; i < run.count(); i++) {
      add(run.pieces()[i] / perRow);
    }
  }

  private void add(long row) {
    if (bits == null && count == rows.length) {
      makeRoom();
    }
    if (bits == null) {
      rows[count++] = row;
    } else {
      bits.set((int) row);
    }
  }

  private void makeRoom() {
    if ((long) count * Long.SIZE >= perBlock && perBlock <= Integer.MAX_VALUE) {
      BitSet dense = new BitSet((int) perBlock);
      Arrays.stream(rows).forEach(row -> dense.set((int) row));
      bits = dense;
      rows = new long[0];
    } else {
      count =
          TouchedRows.sortDistinct(rows, count); // there may be more updates than an array holds
      long wanted = Math.max(rows.length, 2L * count);
      rows = Arrays.copyOf(rows, (int) Math.min(Storage.MAX_LENGTH, wanted));
    }
  }

  /** Returns the number of rows that it holds without more memory; 0 once it has bits. */
  int capacity() {
    return rows.length;
  }

  /** Returns the distinct rows. */
  TouchedRows touched() {
    long[] named =
        bits == null ? Arrays.copyOf(rows, count) : bits.stream().asLongStream().toArray();
    return TouchedRows.of(named, perBlock);
  }
}
