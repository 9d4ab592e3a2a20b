/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.keyed;

import io.sparknd.table.internal.ArrayLimitException;
import io.sparknd.table.internal.FeatureErrors;
import io.sparknd.table.internal.TableErrors;
import io.sparknd.table.internal.cell.Cells;
import io.sparknd.table.internal.feature.FeatureAxis;
import io.sparknd.table.internal.feature.StoredFeatures;
import io.sparknd.table.internal.file.KeyRows;
import io.sparknd.table.internal.key.KeyCodec;
import io.sparknd.table.internal.key.KeyList;
import io.sparknd.table.internal.keyed.BlockPair.FilePair;
import io.sparknd.table.internal.keyed.RowChange.Kind;
import io.sparknd.table.internal.store.StoredFile;
import java.io.Closeable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.iceberg.deletes.PositionDeleteIndex;
import org.jspecify.annotations.Nullable;

/**
 * Finds the rows of a block that differ between two snapshots: those of new files, and those that
 * went from old ones. Other files are not opened.
 */
public final class BlockDifference implements Closeable {
  private final StoredFeatures table;
  private final long unchangedUntil;
  private final List<Integer> columns;
  private final List<OpenFeatureFile> opened = new ArrayList<>();

  /** Keys of rows that the later snapshot has and the earlier has not, in any order. */
  private final KeyList keys = new KeyList();

  /** The keys of rows that only the earlier snapshot has. */
  private final KeyList goneKeys = new KeyList();

  private final List<Cells> after;
  private final List<Cells> before;
  private final BitSet moved = new BitSet();
  private final BitSet replaced = new BitSet();

  /**
   * @param unchangedUntil sequence number up to which rows of new files were only moved there; less
   *     than any if that is not known
   * @param columns ordinals of the variables
   */
  public BlockDifference(StoredFeatures table, long unchangedUntil, List<Integer> columns) {
    this.table = table;
    this.unchangedUntil = unchangedUntil;
    this.columns = columns;
    this.after = table.format().cells(0);
    this.before = table.format().cells(0);
  }

  /**
   * Returns the changes of a block; call it once.
   *
   * @throws io.sparknd.tensor.SparkNdException if the changed rows do not fit one array, or a key
   *     occurs twice
   */
  public BlockChanges run(BlockPair block) {
    try {
      return changes(block.changed());
    } catch (ArrayLimitException e) {
      throw FeatureBlockFold.tooLarge(table, block.after().block(), e);
    }
  }

  private BlockChanges changes(List<FilePair> files) {
    for (FilePair pair : files) {
      readAdded(pair);
    }
    SortedKeys sorted = SortedKeys.of(keys, 0);
    int repeated = sorted.repeated();
    if (repeated >= 0) {
      throw FeatureErrors.duplicateKey(
          table.table().location(), table.format().axis().codec().text(keys, repeated));
    }
    for (FilePair pair : files) {
      readGone(pair, sorted);
    }
    for (int column : columns) {
      table.format().fillAbsent(column, after.get(column), IntStream.range(0, keys.count()));
      fillBefore(column);
    }
    return new BlockChanges(after, Stream.concat(present(sorted), gone()));
  }

  /** Fills values of the earlier state. A NULL where none may be is left: it differs from any. */
  private void fillBefore(int column) {
    if (!table.format().columns().get(column).isRequired()) {
      table.format().fillAbsent(column, before.get(column), replaced.stream());
    }
  }

  private OpenFeatureFile open(StoredFile file) {
    OpenFeatureFile open = OpenFeatureFile.open(table, file);
    opened.add(open);
    return open;
  }

  /** Reads the rows that a file has only at the later snapshot. */
  private void readAdded(FilePair pair) {
    if (pair.after() == null) {
      return;
    }
    OpenFeatureFile file = open(pair.after());
    KeyRows rows = liveRows(file, pair.before());
    requireInBounds(file, rows);
    int first = keys.count();
    int[] slots = IntStream.range(first, first + rows.positions().length).toArray();
    for (int i = 0; i < slots.length; i++) {
      keys.add(rows.keys(), i);
    }
    if (unchangedUntil >= 0 && pair.before() == null) {
      file.markUpTo(unchangedUntil, rows.positions(), first, moved);
    }
    grow(after, keys.count());
    file.read(columns, rows.positions(), slots, after);
  }

  /**
   * Reads the rows that a file has only at the earlier snapshot. They are not checked: a change may
   * be the correction of a row that was not of the table.
   */
  private void readGone(FilePair pair, SortedKeys sorted) {
    if (pair.before() == null) {
      return;
    }
    OpenFeatureFile file = open(pair.before());
    KeyRows rows = file.liveRowsWithKeys(pair.after() == null ? null : deleted(pair.after()));
    int[] positions = new int[rows.positions().length];
    int[] slots = new int[positions.length];
    int found = 0;
    for (int i = 0; i < positions.length; i++) {
      int slot = sorted.slotOf(rows.keys(), i);
      if (slot < 0) {
        goneKeys.add(rows.keys(), i);
      } else {
        replaced.set(slot);
        positions[found] = rows.positions()[i];
        slots[found++] = slot;
      }
    }
    grow(before, keys.count());
    file.readStored(columns, Arrays.copyOf(positions, found), Arrays.copyOf(slots, found), before);
  }

  /** Returns the live rows of a file that is at the other snapshot with other deletes, or not. */
  private KeyRows liveRows(OpenFeatureFile file, @Nullable StoredFile other) {
    return file.liveRows(other == null ? null : deleted(other));
  }

  private void requireInBounds(OpenFeatureFile file, KeyRows rows) {
    if (table.format().axis() instanceof FeatureAxis.Numbered numbered) {
      for (int i = 0; i < rows.positions().length; i++) {
        int column = numbered.outOfBounds(rows.keys(), i);
        if (column >= 0) {
          throw TableErrors.badIndexInFile(
              file.stored().location(),
              rows.positions()[i],
              numbered.columns().get(column).name(),
              KeyCodec.number(rows.keys(), i, column),
              numbered.shape());
        }
      }
    }
  }

  private PositionDeleteIndex deleted(StoredFile file) {
    return OpenFeatureFile.deleted(table, file);
  }

  private void grow(List<Cells> cells, int count) {
    columns.forEach(column -> cells.get(column).grow(count));
  }

  private Stream<RowChange> present(SortedKeys sorted) {
    return IntStream.range(0, sorted.count())
        .map(sorted::slot)
        .mapToObj(this::present)
        .flatMap(Optional::stream);
  }

  private Optional<RowChange> present(int slot) {
    if (!replaced.get(slot)) {
      return Optional.of(new RowChange(Kind.INSERT, key(keys, slot), slot, columns));
    }
    List<Integer> changed = moved.get(slot) ? List.of() : changed(slot);
    return changed.isEmpty()
        ? Optional.empty()
        : Optional.of(new RowChange(Kind.UPDATE_AFTER, key(keys, slot), slot, changed));
  }

  private Stream<RowChange> gone() {
    return IntStream.range(0, goneKeys.count())
        .mapToObj(i -> new RowChange(Kind.DELETE, key(goneKeys, i), -1, columns));
  }

  /** Returns the ordinals of the variables that differ. */
  private List<Integer> changed(int slot) {
    return columns.stream()
        .filter(column -> !after.get(column).isSame(slot, before.get(column), slot))
        .toList();
  }

  private Object[] key(KeyList list, int key) {
    return table.format().axis().codec().values(list, key);
  }

  @Override
  public void close() {
    opened.forEach(OpenFeatureFile::close);
  }
}
