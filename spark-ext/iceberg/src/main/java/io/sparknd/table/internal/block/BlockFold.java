/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.block;

import io.sparknd.cluster.internal.rows.RowErrors;
import io.sparknd.kernel.KernelProviders;
import io.sparknd.kernel.SliceBlocks;
import io.sparknd.kernel.SliceFold;
import io.sparknd.table.internal.TableErrors;
import io.sparknd.table.internal.file.RowLineage;
import io.sparknd.table.internal.store.BlockFiles;
import io.sparknd.table.internal.store.StoredFile;
import io.sparknd.table.internal.store.StoredTensor;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Storage;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Set;
import org.apache.iceberg.DataFile;

/** Folds a scatter's updates of one block: reads touched rows if needed, folds, and writes. */
final class BlockFold {
  private final StoredTensor tensor;
  private final List<ScatterStage> parts;
  private final String kernel;
  private final List<RowErrors> rowErrors;
  private final BlockFiles stored;
  private final long firstRow;
  private final int units;

  BlockFold(
      StoredTensor tensor,
      List<ScatterStage> parts,
      String kernel,
      List<RowErrors> rowErrors,
      BlockFiles stored) {
    this.tensor = tensor;
    this.parts = parts;
    this.kernel = kernel;
    this.rowErrors = rowErrors;
    this.stored = stored;
    this.firstRow = stored.block() * tensor.format().perBlock();
    this.units = tensor.format().rows().units();
  }

  BlockResult run(BlockUpdates updates, TaskFiles written) {
    TouchedRows touched = TouchedRows.of(updates.rows(parts), tensor.format().perBlock());
    List<OpenFile> open = new ArrayList<>();
    try {
      for (StoredFile file : stored.files()) {
        open.add(OpenFile.open(tensor, file, firstRow, tensor.format().perBlock()));
      }
      return run(updates, touched, split(open, touched), written);
    } finally {
      open.forEach(OpenFile::close);
    }
  }

  private List<TouchedFile> split(List<OpenFile> open, TouchedRows touched) {
    BitSet seen = new BitSet();
    return open.stream().map(file -> TouchedFile.of(file, touched, seen, firstRow)).toList();
  }

  private BlockResult run(
      BlockUpdates updates, TouchedRows touched, List<TouchedFile> files, TaskFiles written) {
    Set<TouchedFile> merged =
        tensor.writesWholeBlocks()
            ? Set.copyOf(files)
            : FileMergePolicy.of(files, touched.count(), tensor.format().perBlock());
    SortedRows rows = SortedRows.of(touched.rows(), 0);
    Object payload = payload(touched, merged);
    RowLineage lineage = RowLineage.inherited(rows(touched, merged));
    AdditionalColumns additional = AdditionalColumns.of(tensor, rows(touched, merged));
    boolean reads = parts.stream().anyMatch(ScatterStage::readsRows);
    if (reads) {
      RepeatedElement.into(payload, touched.count() * units, tensor.format().fill());
    }
    int next = touched.count();
    List<PendingDeletionVector> deletions = new ArrayList<>();
    for (TouchedFile file : files) {
      boolean isMerged = merged.contains(file);
      read(file, reads, isMerged, next, payload);
      file.readAdditional(wanted(isMerged), next, additional);
      copyLineage(file, isMerged, next, lineage);
      if (isMerged) {
        rows = rows.mergedWith(SortedRows.of(file.untouchedRows(), next));
        next += file.untouched();
        file.file().rejectRepeated(rows, firstRow);
      } else if (file.touched() > 0) {
        deletions.add(PendingDeletionVector.of(file.file(), file.touchedPositions()));
      }
    }
    fold(updates, touched, payload);
    DataFile added =
        new BlockFileWriter(tensor, written)
            .write(stored.block(), rows.shifted(firstRow), payload, lineage, additional);
    return BlockResult.of(
        stored.block(),
        List.of(added),
        merged.stream().map(file -> file.file().stored()).toList(),
        deletions,
        touched.count(),
        updates.count());
  }

  /** Allocates the rows to write; touched rows come first. */
  private Object payload(TouchedRows touched, Set<TouchedFile> merged) {
    return dtype().storage().allocate(rows(touched, merged) * units);
  }

  private int rows(TouchedRows touched, Set<TouchedFile> merged) {
    long rows = touched.count() + merged.stream().mapToLong(TouchedFile::untouched).sum();
    if (rows * units > Storage.MAX_LENGTH) {
      throw TableErrors.blockTooLarge(tensor.name(), rows, tensor.format().rowsPerBlock());
    }
    return (int) rows;
  }

  private void copyLineage(TouchedFile file, boolean isMerged, int first, RowLineage lineage) {
    if (tensor.keepsLineage() && (isMerged || file.touched() > 0)) {
      file.copyLineage(first, lineage, wanted(isMerged));
    }
  }

  /** Returns the rows of a file that are written again. */
  private static TouchedFile.Wanted wanted(boolean isMerged) {
    return isMerged ? TouchedFile.Wanted.ALL : TouchedFile.Wanted.TOUCHED;
  }

  private static void read(
      TouchedFile file, boolean readsTouched, boolean isMerged, int first, Object payload) {
    if (readsTouched && isMerged) {
      file.read(TouchedFile.Wanted.ALL, first, payload);
    } else if (readsTouched) {
      file.read(TouchedFile.Wanted.TOUCHED, first, payload);
    } else if (isMerged) {
      file.read(TouchedFile.Wanted.UNTOUCHED, first, payload);
    }
  }

  private void fold(BlockUpdates updates, TouchedRows touched, Object payload) {
    for (int part = 0; part < parts.size(); part++) {
      ScatterStage how = parts.get(part);
      int slices = Math.max(1, touched.count() * how.perRow());
      SliceBlocks blocks =
          SliceBlocks.owned(dtype().storage(), only(payload), slices, how.pieces().units());
      SliceFold fold = new SliceFold(KernelProviders.named(kernel), dtype(), how.how(), blocks);
      for (BlockUpdates.Run run : updates.runs()) {
        if (run.part() == part) {
          fold.apply(slots(run, how, touched), run.rows(), 0, 0, run.count(), run.payload());
        }
      }
      fold.finish();
      reject(part, touched, fold.duplicate());
    }
  }

  private Object[] only(Object payload) {
    Object[] arrays = dtype().storage().allocateBlocks(1);
    arrays[0] = payload;
    return arrays;
  }

  private static long[] slots(BlockUpdates.Run run, ScatterStage how, TouchedRows touched) {
    int perRow = how.perRow();
    long[] slots = new long[run.count()];
    for (int i = 0; i < slots.length; i++) {
      long row = run.pieces()[i] / perRow;
      slots[i] = (long) touched.slot(row) * perRow + (run.pieces()[i] - row * perRow);
    }
    return slots;
  }

  /**
   * Reports a duplicate to the scatter's row errors.
   *
   * @param piece a piece with more than one update; -1 for none
   */
  private void reject(int part, TouchedRows touched, long piece) {
    if (piece >= 0) {
      ScatterStage how = parts.get(part);
      long row = firstRow + touched.row((int) (piece / how.perRow()));
      rowErrors
          .get(part)
          .duplicate((row * how.perRow() + piece % how.perRow()) / how.pieces().perSlice());
    }
  }

  private DType dtype() {
    return tensor.format().rows().dtype();
  }
}
