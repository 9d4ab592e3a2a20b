/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.keyed;

import io.sparknd.table.internal.ArrayLimitException;
import io.sparknd.table.internal.FeatureErrors;
import io.sparknd.table.internal.block.BlockResult;
import io.sparknd.table.internal.block.FileMergePolicy;
import io.sparknd.table.internal.block.PendingDeletionVector;
import io.sparknd.table.internal.block.TaskFiles;
import io.sparknd.table.internal.cell.CellException;
import io.sparknd.table.internal.cell.CellTarget;
import io.sparknd.table.internal.cell.CellUpdates;
import io.sparknd.table.internal.cell.Cells;
import io.sparknd.table.internal.feature.FeatureColumn;
import io.sparknd.table.internal.feature.StoredFeatures;
import io.sparknd.table.internal.file.KeyRows;
import io.sparknd.table.internal.file.RowLineage;
import io.sparknd.table.internal.key.KeyList;
import io.sparknd.table.internal.store.BlockFiles;
import io.sparknd.table.internal.store.StoredFile;
import io.sparknd.tensor.SparkNdException;
import io.sparknd.tensor.Storage;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.iceberg.DataFile;

/** Folds the updates of one block: reads the stored rows of touched keys, folds, and writes. */
final class FeatureBlockFold {
  private final StoredFeatures table;
  private final BlockFiles stored;

  FeatureBlockFold(StoredFeatures table, BlockFiles stored) {
    this.table = table;
    this.stored = stored;
  }

  /**
   * Folds updates.
   *
   * @throws io.sparknd.tensor.SparkNdException if the rows to write do not fit one array, or an
   *     update cannot be applied
   */
  BlockResult run(List<StageRows> stages, TaskFiles written) {
    List<OpenFeatureFile> files = new ArrayList<>();
    try {
      KeyList touched = touched(stages);
      BitSet seen = new BitSet();
      for (StoredFile file : stored.files()) {
        OpenFeatureFile open = OpenFeatureFile.open(table, file);
        files.add(open);
        open.match(touched, seen);
      }
      return run(stages, touched, files, written);
    } catch (ArrayLimitException e) {
      throw tooLarge(table, stored.block(), e);
    } finally {
      files.forEach(OpenFeatureFile::close);
    }
  }

  /** Writes all live rows to new files, one for each partition. */
  BlockResult compact(TaskFiles written) {
    List<OpenFeatureFile> files = new ArrayList<>();
    try {
      for (StoredFile file : stored.files()) {
        files.add(OpenFeatureFile.open(table, file));
      }
      List<DataFile> added = writeUntouched(files, written);
      long total = files.stream().mapToLong(OpenFeatureFile::untouched).sum();
      return BlockResult.of(stored.block(), added, stored.files(), List.of(), total, 0);
    } catch (ArrayLimitException e) {
      throw tooLarge(table, stored.block(), e);
    } finally {
      files.forEach(OpenFeatureFile::close);
    }
  }

  /** Returns the error of a block of which a task holds more rows than fit. */
  static SparkNdException tooLarge(StoredFeatures table, long block, ArrayLimitException limit) {
    return FeatureErrors.blockTooLarge(table.name(), block, limit.what(), limit.rows());
  }

  /**
   * Deletes rows: by deletion vectors, or if touched blocks are rewritten as a whole, by writing
   * the other rows to new files. A file without other rows is removed.
   *
   * @param evicted positions of live rows by the location of their file
   */
  BlockResult evict(Map<String, FilePositions> evicted, TaskFiles written) {
    List<OpenFeatureFile> files = new ArrayList<>();
    try {
      for (StoredFile file : stored.files()) {
        FilePositions rows = evicted.get(file.location());
        if (rows != null || table.writesWholeBlocks()) {
          OpenFeatureFile open = OpenFeatureFile.open(table, file);
          files.add(open);
          open.touch(rows == null ? new int[0] : rows.ascending());
        }
      }
      List<OpenFeatureFile> replaced =
          files.stream()
              .filter(file -> table.writesWholeBlocks() || file.untouched() == 0)
              .toList();
      return BlockResult.of(
          stored.block(),
          writeUntouched(replaced, written),
          replaced.stream().map(OpenFeatureFile::stored).toList(),
          files.stream()
              .filter(file -> !replaced.contains(file))
              .map(OpenFeatureFile::deletion)
              .toList(),
          files.stream().mapToLong(OpenFeatureFile::touched).sum(),
          0);
    } catch (ArrayLimitException e) {
      throw tooLarge(table, stored.block(), e);
    } finally {
      files.forEach(OpenFeatureFile::close);
    }
  }

  /** Writes the live rows of files that are not touched to new files, one for each partition. */
  private List<DataFile> writeUntouched(List<OpenFeatureFile> files, TaskFiles written) {
    int total = rows(files.stream().mapToLong(OpenFeatureFile::untouched).sum());
    List<Cells> cells = table.format().cells(total);
    RowLineage lineage = RowLineage.inherited(total);
    SortedKeys rows = SortedKeys.ascending(new KeyList());
    int next = 0;
    for (OpenFeatureFile file : files) {
      KeyRows moved = file.untouchedRows();
      rows = rows.mergedWith(move(file, moved, next, cells, lineage));
      next += moved.positions().length;
      reject(file, rows);
    }
    return new FeatureFileWriter(table, written).write(stored.block(), rows, cells, lineage);
  }

  /** Returns the distinct keys of all stages, ascending. */
  private static KeyList touched(List<StageRows> stages) {
    SortedKeys all = SortedKeys.ascending(stages.get(0).keys());
    if (stages.size() == 1) {
      return all.keys();
    }
    for (StageRows stage : stages.subList(1, stages.size())) {
      all = all.mergedWith(SortedKeys.ascending(stage.keys()));
    }
    KeyList distinct = new KeyList();
    for (int i = 0; i < all.count(); i++) {
      if (i == 0 || all.keys().compare(all.key(i - 1), all.keys(), all.key(i)) != 0) {
        distinct.add(all.keys(), all.key(i));
      }
    }
    return distinct;
  }

  private BlockResult run(
      List<StageRows> stages, KeyList touched, List<OpenFeatureFile> files, TaskFiles written) {
    Set<OpenFeatureFile> merged = merged(files, touched.count());
    long moved = merged.stream().mapToLong(OpenFeatureFile::untouched).sum();
    int total = rows(touched.count() + moved);
    List<Cells> cells = table.format().cells(total);
    RowLineage lineage = RowLineage.inherited(total);
    SortedKeys rows = SortedKeys.ascending(touched);
    List<PendingDeletionVector> deletions = new ArrayList<>();
    List<Integer> columns = columnsToRead(stages, touched);
    for (OpenFeatureFile file : files) {
      file.readTouched(columns, cells);
      if (table.keepsLineage() && file.touched() > 0) {
        file.copyTouchedLineage(lineage);
      }
      if (!merged.contains(file) && file.touched() > 0) {
        deletions.add(file.deletion());
      }
    }
    fill(touched.count(), cells);
    int next = touched.count();
    for (OpenFeatureFile file : merged) {
      KeyRows untouched = file.untouchedRows();
      rows = rows.mergedWith(move(file, untouched, next, cells, lineage));
      next += untouched.positions().length;
      reject(file, rows);
    }
    long late = fold(stages, touched, cells);
    requireColumns(touched, cells);
    List<DataFile> added =
        new FeatureFileWriter(table, written).write(stored.block(), rows, cells, lineage);
    return BlockResult.of(
            stored.block(),
            added,
            merged.stream().map(OpenFeatureFile::stored).toList(),
            deletions,
            touched.count(),
            stages.stream().mapToLong(StageRows::count).sum())
        .withLate(late);
  }

  private static int rows(long count) {
    ArrayLimitException.requireAtMost("numbers", count, Storage.MAX_LENGTH);
    return (int) count;
  }

  private Set<OpenFeatureFile> merged(List<OpenFeatureFile> files, int touched) {
    long live = files.stream().mapToLong(file -> file.touched() + file.untouched()).sum();
    return table.writesWholeBlocks()
        ? Set.copyOf(files)
        : FileMergePolicy.of(files, touched, Math.max(live, touched));
  }

  /**
   * Returns the columns whose stored values are needed: all but those that updates replace in every
   * touched row.
   */
  private List<Integer> columnsToRead(List<StageRows> stages, KeyList touched) {
    BitSet replaced = new BitSet();
    for (StageRows stage : stages) {
      for (FeatureStage.Target target : stage.stage().targets()) {
        if (!target.fold().readsStored() && isComplete(stage, target, touched)) {
          replaced.set(target.column());
        }
      }
    }
    return IntStream.range(0, table.format().columns().size())
        .filter(column -> !replaced.get(column))
        .boxed()
        .toList();
  }

  private static boolean isComplete(StageRows stage, FeatureStage.Target target, KeyList touched) {
    if (stage.keys().count() < touched.count()) {
      return false;
    }
    Cells values = stage.input(target.value());
    for (int row = 0; row < stage.count(); row++) {
      if (!values.isPresent(row)) {
        return false;
      }
    }
    return true;
  }

  private SortedKeys move(
      OpenFeatureFile file, KeyRows moved, int firstSlot, List<Cells> cells, RowLineage lineage) {
    int[] slots = IntStream.range(firstSlot, firstSlot + moved.positions().length).toArray();
    List<Integer> all = IntStream.range(0, cells.size()).boxed().toList();
    file.read(all, moved.positions(), slots, cells);
    if (table.keepsLineage()) {
      file.copyLineage(moved.positions(), firstSlot, lineage);
    }
    return SortedKeys.of(moved.keys(), firstSlot);
  }

  private void reject(OpenFeatureFile file, SortedKeys rows) {
    int repeated = rows.repeated();
    if (repeated >= 0) {
      throw FeatureErrors.duplicateKey(
          file.stored().location(), table.format().axis().codec().text(rows.keys(), repeated));
    }
  }

  /** Sets values of touched rows that were never written to the fill values. */
  private void fill(int touched, List<Cells> cells) {
    for (int column = 0; column < cells.size(); column++) {
      table.format().fillAbsent(column, cells.get(column), IntStream.range(0, touched));
    }
  }

  /** Checks that new rows have a value of each column that others made NOT NULL. */
  private void requireColumns(KeyList touched, List<Cells> cells) {
    for (int c = 0; c < cells.size(); c++) {
      FeatureColumn column = table.format().columns().get(c);
      // a column of a tensor has a fill value
      if (!column.isRequired() && table.table().schema().findField(column.fieldId()).isRequired()) {
        requireValues(column, cells.get(c), touched);
      }
    }
  }

  private void requireValues(FeatureColumn column, Cells cells, KeyList touched) {
    for (int slot = 0; slot < touched.count(); slot++) {
      if (!cells.isPresent(slot)) {
        throw FeatureErrors.requiredColumn(
            table.name(), column.name(), table.format().axis().codec().text(touched, slot));
      }
    }
  }

  /** Folds all updates, and returns the number of those that came after their tile was evicted. */
  private long fold(List<StageRows> stages, KeyList touched, List<Cells> cells) {
    long late = 0;
    for (StageRows stage : stages) {
      BitSet lateOfStage = new BitSet();
      int[] slots = stage.slots(touched);
      for (FeatureStage.Target target : stage.stage().targets()) {
        CellTarget to =
            new CellTarget(
                cells.get(target.column()), target.state().stream().map(cells::get).toList());
        Cells order = target.order() < 0 ? null : stage.input(target.order());
        try {
          target
              .fold()
              .fold(
                  to,
                  new CellUpdates(
                      stage.input(target.value()), order, slots, stage.count(), lateOfStage));
        } catch (CellException e) {
          FeatureColumn column = table.format().columns().get(target.column());
          throw FeatureErrors.updateFailed(
              table.name(),
              column.name(),
              table.format().axis().codec().text(touched, e.slot()),
              String.valueOf(e.getMessage()));
        }
      }
      late += lateOfStage.cardinality();
    }
    return late;
  }
}
