/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.block;

import io.sparknd.kernel.SliceBlocks;
import io.sparknd.kernel.SliceFold;
import io.sparknd.kernel.spi.KernelProvider;
import org.jspecify.annotations.Nullable;

/** Folds updates of a block into an array of its rows, in the order in which they are passed. */
final class UpdateFold {
  private final CommitScatters scatters;
  private final KernelProvider kernels;
  private final long firstRow;
  private final RowSlots slots;
  private final Object payload;

  /** The fold of the scatter that the last run belongs to; null before the first run. */
  private @Nullable SliceFold fold;

  private int part;

  /**
   * Creates a fold.
   *
   * @param firstRow offset of the block's first row
   * @param slots the places of rows in {@code payload}
   */
  UpdateFold(
      CommitScatters scatters,
      KernelProvider kernels,
      long firstRow,
      RowSlots slots,
      Object payload) {
    this.scatters = scatters;
    this.kernels = kernels;
    this.firstRow = firstRow;
    this.slots = slots;
    this.payload = payload;
  }

  void apply(UpdateRun run) {
    if (fold != null && part != run.part()) {
      finish();
    }
    if (fold == null) {
      part = run.part();
      fold = begin();
    }
    fold.apply(slots(run), run.rows(), 0, 0, run.count(), run.payload());
  }

  private SliceFold begin() {
    ScatterStage how = how();
    Object[] arrays = scatters.storage().allocateBlocks(1);
    arrays[0] = payload;
    int slices = Math.max(1, slots.count() * how.perRow());
    SliceBlocks blocks =
        SliceBlocks.owned(scatters.storage(), arrays, slices, how.pieces().units());
    return new SliceFold(kernels, scatters.dtype(), how.how(), blocks);
  }

  private ScatterStage how() {
    return scatters.parts().get(part);
  }

  private long[] slots(UpdateRun run) {
    int perRow = how().perRow();
    long[] pieces = new long[run.count()];
    for (int i = 0; i < pieces.length; i++) {
      long row = run.pieces()[i] / perRow;
      pieces[i] = (long) slots.slot(row) * perRow + (run.pieces()[i] - row * perRow);
    }
    return pieces;
  }

  /** Completes the values after the last run, and reports a duplicate to the scatter's errors. */
  void finish() {
    if (fold != null) {
      fold.finish();
      reject(fold.duplicate());
      fold = null;
    }
  }

  /**
   * Reports a duplicate.
   *
   * @param piece a piece with more than one update; -1 for none
   */
  private void reject(long piece) {
    if (piece >= 0) {
      ScatterStage how = how();
      long row = firstRow + slots.row((int) (piece / how.perRow()));
      scatters
          .rowErrors()
          .get(part)
          .duplicate((row * how.perRow() + piece % how.perRow()) / how.pieces().perSlice());
    }
  }
}
