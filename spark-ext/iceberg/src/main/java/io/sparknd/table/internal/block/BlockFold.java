/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.block;

import io.sparknd.table.internal.TableErrors;
import io.sparknd.table.internal.file.RowLineage;
import io.sparknd.table.internal.store.BlockFiles;
import io.sparknd.table.internal.store.StoredFile;
import io.sparknd.table.internal.store.StoredTensor;
import io.sparknd.tensor.Storage;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Set;
import org.apache.iceberg.DataFile;
import org.jspecify.annotations.Nullable;

/**
 * Folds a commit's updates of one block: reads touched rows if needed, folds, and writes. Updates
 * are held until all are known, or folded as they arrive if they take more memory than the block.
 */
final class BlockFold {
  private final CommitScatters scatters;
  private final StoredTensor tensor;
  private final BlockFiles stored;
  private final long firstRow;
  private final int units;
  private final HeldUpdates held;
  private @Nullable FoldedUpdates folded;
  private long count;

  BlockFold(CommitScatters scatters, BlockFiles stored) {
    this.scatters = scatters;
    this.tensor = scatters.tensor();
    this.stored = stored;
    this.firstRow = stored.block() * scatters.perBlock();
    this.units = scatters.units();
    this.held = new HeldUpdates(scatters, firstRow);
  }

  /** Adds updates, which apply after those added before. */
  void add(UpdateRun run) {
    count += run.count();
    if (folded != null) {
      folded.add(run);
    } else {
      held.add(run);
    }
  }

  /** Returns the bytes of updates that are held. */
  long heldBytes() {
    return held.bytes();
  }

  /**
   * Folds the updates that are held, and all later ones as they arrive, if that takes less memory.
   */
  void foldIfSmaller() {
    if (folded == null && held.bytes() > FoldedUpdates.bytes(scatters)) {
      folded = FoldedUpdates.begin(scatters, stored, firstRow);
      held.moveTo(folded);
    }
  }

  /** Writes the block's new files, after the last update. */
  BlockResult write(TaskFiles written) {
    BlockUpdates updates = folded == null ? held : folded;
    TouchedRows touched = updates.touched();
    List<OpenFile> open = new ArrayList<>();
    try {
      for (StoredFile file : stored.files()) {
        open.add(OpenFile.open(tensor, file, firstRow, scatters.perBlock()));
      }
      return write(updates, touched, split(open, touched), written);
    } finally {
      open.forEach(OpenFile::close);
    }
  }

  private List<TouchedFile> split(List<OpenFile> open, TouchedRows touched) {
    BitSet seen = new BitSet();
    return open.stream().map(file -> TouchedFile.of(file, touched, seen, firstRow)).toList();
  }

  private BlockResult write(
      BlockUpdates updates, TouchedRows touched, List<TouchedFile> files, TaskFiles written) {
    Set<TouchedFile> merged =
        tensor.writesWholeBlocks()
            ? Set.copyOf(files)
            : FileMergePolicy.of(files, touched.count(), tensor.format().perBlock());
    SortedRows rows = SortedRows.of(touched.rows(), 0);
    Object payload = updates.payload(touched, rows(touched, merged));
    RowLineage lineage = RowLineage.inherited(rows(touched, merged));
    AdditionalColumns additional = AdditionalColumns.of(tensor, rows(touched, merged));
    int next = touched.count();
    List<PendingDeletionVector> deletions = new ArrayList<>();
    for (TouchedFile file : files) {
      boolean isMerged = merged.contains(file);
      read(file, updates.needStored(), isMerged, next, payload);
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
    updates.fold(touched, payload);
    DataFile added =
        new BlockFileWriter(tensor, written)
            .write(stored.block(), rows.shifted(firstRow), payload, lineage, additional);
    return BlockResult.of(
        stored.block(),
        List.of(added),
        merged.stream().map(file -> file.file().stored()).toList(),
        deletions,
        touched.count(),
        count);
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
}
