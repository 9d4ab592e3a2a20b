/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.block;

import io.sparknd.cluster.internal.partition.BlockLayout;
import io.sparknd.kernel.KernelProviders;
import io.sparknd.kernel.SliceFold;
import io.sparknd.kernel.spi.KernelProvider;
import io.sparknd.table.internal.store.BlockFiles;
import io.sparknd.table.internal.store.StoredFile;
import io.sparknd.tensor.Storage;
import java.util.Arrays;

/** Updates that are folded as they arrive, into an array of all rows of the block. */
final class FoldedUpdates implements BlockUpdates {
  /** Bytes of a fold beside the array: addresses of a chunk of updates, and of first ones. */
  private static final int FOLD_BYTES = 64 << 10;

  private final CommitScatters scatters;
  private final TouchedRowSet named;
  private final Object values;
  private final UpdateFold fold;

  private FoldedUpdates(CommitScatters scatters, long firstRow, Object values) {
    this.scatters = scatters;
    this.named = new TouchedRowSet(scatters.parts(), scatters.perBlock());
    this.values = values;
    RowSlots slots = RowSlots.ofAll((int) scatters.perBlock());
    // kernels that do not defer: the updates that others keep would be held again
    KernelProvider kernels = KernelProviders.named(scatters.kernel()).forSmallBatches();
    this.fold = new UpdateFold(scatters, kernels, firstRow, slots, values);
  }

  /** Returns the bytes that it takes; the most of a long if no array holds all rows of a block. */
  static long bytes(CommitScatters scatters) {
    long units = scatters.perBlock() * scatters.units();
    long counts = counts(scatters);
    return Math.max(scatters.perBlock(), Math.max(units, counts)) > Storage.MAX_LENGTH
        ? Long.MAX_VALUE
        : FOLD_BYTES
            + units * BlockLayout.unitBytes(scatters.storage())
            + foldBytes(scatters)
            + scatters.perBlock() / Byte.SIZE;
  }

  /** Returns the most bytes that the fold of one of the scatters takes besides the array. */
  private static long foldBytes(CommitScatters scatters) {
    return scatters.parts().stream().mapToLong(part -> foldBytes(scatters, part)).max().orElse(0);
  }

  private static long foldBytes(CommitScatters scatters, ScatterStage part) {
    long slices = scatters.perBlock() * part.perRow();
    return SliceFold.bytes(scatters.dtype(), part.how(), slices, part.pieces().units());
  }

  /** Returns the most slices of a block whose updates one of the scatters counts. */
  private static long counts(CommitScatters scatters) {
    return scatters.parts().stream()
        .filter(part -> SliceFold.needsCounts(scatters.dtype(), part.how()))
        .mapToLong(part -> scatters.perBlock() * part.perRow())
        .max()
        .orElse(0);
  }

  /**
   * Reads the stored values of all rows if they are needed.
   *
   * @param firstRow offset of the block's first row
   */
  static FoldedUpdates begin(CommitScatters scatters, BlockFiles stored, long firstRow) {
    int units = (int) scatters.perBlock() * scatters.units();
    Object values = scatters.storage().allocate(units);
    if (scatters.readRows()) {
      RepeatedElement.into(values, units, scatters.tensor().format().fill());
      for (StoredFile file : stored.files()) {
        read(scatters, file, firstRow, values);
      }
    }
    return new FoldedUpdates(scatters, firstRow, values);
  }

  private static void read(
      CommitScatters scatters, StoredFile stored, long firstRow, Object values) {
    try (OpenFile file = OpenFile.open(scatters.tensor(), stored, firstRow, scatters.perBlock())) {
      int[] slots = new int[file.rows().length];
      Arrays.setAll(slots, i -> (int) file.rows()[i]);
      if (slots.length > 0) {
        file.values(file.positions(), slots, slots.length, values);
      }
    }
  }

  @Override
  public void add(UpdateRun run) {
    named.add(run);
    fold.apply(run);
  }

  @Override
  public TouchedRows touched() {
    return named.touched();
  }

  @Override
  public boolean needStored() {
    return false;
  }

  /** Moves the touched rows to the first slots of the same array if it is long enough. */
  @Override
  public Object payload(TouchedRows touched, int rows) {
    fold.finish();
    int units = scatters.units();
    Object payload =
        rows <= scatters.perBlock() ? values : scatters.storage().allocate(rows * units);
    for (int slot = 0; slot < touched.count(); slot++) {
      System.arraycopy(values, (int) touched.row(slot) * units, payload, slot * units, units);
    }
    return payload;
  }

  @Override
  public void fold(TouchedRows touched, Object payload) {
    // payload() has the new values
  }
}
