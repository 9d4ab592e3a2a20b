/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.keyed;

import io.sparknd.table.internal.FeatureErrors;
import io.sparknd.table.internal.TableErrors;
import io.sparknd.table.internal.block.FileMergePolicy;
import io.sparknd.table.internal.block.PendingDeletionVector;
import io.sparknd.table.internal.cell.Cells;
import io.sparknd.table.internal.cell.ElementCells;
import io.sparknd.table.internal.feature.FeatureColumn;
import io.sparknd.table.internal.feature.StoredFeatures;
import io.sparknd.table.internal.file.CellColumn;
import io.sparknd.table.internal.file.DeletedPositions;
import io.sparknd.table.internal.file.KeyMatches;
import io.sparknd.table.internal.file.KeyRows;
import io.sparknd.table.internal.file.KeyedFile;
import io.sparknd.table.internal.file.RowLineage;
import io.sparknd.table.internal.key.KeyList;
import io.sparknd.table.internal.store.StoredFile;
import java.io.Closeable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.function.IntPredicate;
import org.apache.iceberg.deletes.PositionDeleteIndex;
import org.jspecify.annotations.Nullable;

/** A data file of a block that a task has open, and the touched keys that it has. */
final class OpenFeatureFile implements FileMergePolicy.Candidate, Closeable {
  private final StoredFeatures table;
  private final StoredFile stored;
  private final KeyedFile file;
  private final PositionDeleteIndex deleted;
  private int[] positions = {};
  private int[] slots = {};

  private OpenFeatureFile(
      StoredFeatures table, StoredFile stored, KeyedFile file, PositionDeleteIndex deleted) {
    this.table = table;
    this.stored = stored;
    this.file = file;
    this.deleted = deleted;
  }

  /** Opens a file, whose keys and values are not read yet. */
  static OpenFeatureFile open(StoredFeatures table, StoredFile stored) {
    PositionDeleteIndex deleted = deleted(table, stored);
    return new OpenFeatureFile(
        table,
        stored,
        KeyedFile.open(stored.in(table), table.format().axis().codec(), table.checksums()),
        deleted);
  }

  /** Reads the positions of the rows of a file that are deleted. */
  static PositionDeleteIndex deleted(StoredFeatures table, StoredFile stored) {
    return DeletedPositions.read(
        table.name(), table.table().io(), stored.deletes(), stored.location());
  }

  StoredFile stored() {
    return stored;
  }

  /**
   * Finds the live rows of touched keys.
   *
   * @param touched ascending; a key's index is its slot
   * @param seen slots of keys that other files of the block have; those of this file are added
   * @throws io.sparknd.tensor.SparkNdException if the block has a key twice
   */
  void match(KeyList touched, BitSet seen) {
    KeyMatches all = file.matches(touched, deleted::isDeleted);
    positions = new int[all.count()];
    slots = new int[all.count()];
    int found = 0;
    for (int i = 0; i < all.count(); i++) {
      int slot = all.keys()[i];
      if (!deleted.isEmpty() && deleted.isDeleted(all.positions()[i])) {
        continue;
      }
      if (seen.get(slot)) {
        throw FeatureErrors.duplicateKey(
            stored.location(), table.format().axis().codec().text(touched, slot));
      }
      seen.set(slot);
      positions[found] = all.positions()[i];
      slots[found++] = slot;
    }
    positions = Arrays.copyOf(positions, found);
    slots = Arrays.copyOf(slots, found);
  }

  /**
   * Finds the rows of some keys, at whatever version they are live. Rows whose key has a NULL,
   * which may be deleted at all of them, are none.
   *
   * @param keys ascending
   */
  KeyMatches matches(KeyList keys) {
    return file.matches(keys, position -> true);
  }

  /**
   * Takes live rows as touched, by their positions.
   *
   * @param rows ascending
   */
  void touch(int[] rows) {
    positions = rows;
    slots = new int[rows.length];
  }

  @Override
  public int touched() {
    return slots.length;
  }

  @Override
  public int untouched() {
    long dead = deleted.isEmpty() ? 0 : deleted.cardinality();
    return (int) (file.rows() - dead - slots.length);
  }

  /** Returns the slots of touched keys that the file has. */
  int[] slots() {
    return slots;
  }

  /** Returns a deletion of the touched rows from the file. */
  PendingDeletionVector deletion() {
    return PendingDeletionVector.of(stored, deleted, positions);
  }

  /** Returns keys and positions of all live rows that are not touched, in file order. */
  KeyRows untouchedRows() {
    BitSet touched = new BitSet();
    Arrays.stream(positions).forEach(touched::set);
    return liveRowsWhere(position -> !touched.get(position), deleted::isDeleted);
  }

  /**
   * Returns keys and positions of live rows, in file order.
   *
   * @param only if set, only rows that are deleted there; null for all
   */
  KeyRows liveRows(@Nullable PositionDeleteIndex only) {
    return liveRows(only, deleted::isDeleted);
  }

  /**
   * Returns live rows, as {@link #liveRows} does, without those whose key has a NULL, which are no
   * features.
   */
  KeyRows liveRowsWithKeys(@Nullable PositionDeleteIndex only) {
    return liveRows(only, position -> true);
  }

  private KeyRows liveRows(@Nullable PositionDeleteIndex only, IntPredicate mayLackKey) {
    if (only != null && !deletesMore(only)) {
      return new KeyRows(new KeyList(), new int[0]); // without reading the file's keys
    }
    return liveRowsWhere(position -> only == null || only.isDeleted(position), mayLackKey);
  }

  private KeyRows liveRowsWhere(IntPredicate isWanted, IntPredicate mayLackKey) {
    KeyRows all = file.keys(position -> !isWanted.test(position) || mayLackKey.test(position));
    KeyList keys = new KeyList();
    int[] kept = new int[all.positions().length];
    int count = 0;
    for (int i = 0; i < kept.length; i++) {
      int position = all.positions()[i];
      if (isWanted.test(position) && !deleted.isDeleted(position)) {
        keys.add(all.keys(), i);
        kept[count++] = position;
      }
    }
    return new KeyRows(keys, Arrays.copyOf(kept, count));
  }

  /** Returns whether other deletes are of a row that is live here. */
  private boolean deletesMore(PositionDeleteIndex others) {
    boolean[] more = {false};
    if (!others.isEmpty()) {
      others.forEach(position -> more[0] |= !deleted.isDeleted(position));
    }
    return more[0];
  }

  /**
   * Marks rows that were last updated by a commit of a sequence number up to {@code most}.
   *
   * @param rows positions in the file
   * @param first the number of the first row in {@code marked}
   */
  void markUpTo(long most, int[] rows, int first, BitSet marked) {
    long[] sequences = lineage().sequences();
    for (int i = 0; i < rows.length; i++) {
      if (sequences[rows[i]] != RowLineage.INHERITED && sequences[rows[i]] <= most) {
        marked.set(first + i);
      }
    }
  }

  /** Reads the touched rows of some columns to their slots. */
  void readTouched(List<Integer> columns, List<Cells> target) {
    read(columns, positions, slots, target);
  }

  /**
   * Reads rows of some columns.
   *
   * @param columns as for {@link #readStored}
   * @param rows as for {@link #readStored}
   * @param to as for {@link #readStored}
   * @param target as for {@link #readStored}
   * @throws io.sparknd.tensor.SparkNdException if a value is NULL where none may be
   */
  void read(List<Integer> columns, int[] rows, int[] to, List<Cells> target) {
    readStored(columns, rows, to, target);
    columns.forEach(ordinal -> requireValues(ordinal, rows, to, target.get(ordinal)));
  }

  /**
   * Reads rows of some columns as they are stored, NULLs that may not be there too.
   *
   * @param columns ordinals of the columns
   * @param rows positions in the file, ascending
   * @param to slots in the cells
   * @param target cells of all columns of the table
   */
  void readStored(List<Integer> columns, int[] rows, int[] to, List<Cells> target) {
    List<CellColumn> elements = new ArrayList<>();
    List<FeatureColumn> others = new ArrayList<>();
    List<Cells> otherCells = new ArrayList<>();
    if (rows.length == 0) {
      return;
    }
    for (int ordinal : columns) {
      FeatureColumn column = table.format().columns().get(ordinal);
      if (target.get(ordinal) instanceof ElementCells cells
          && file.hasCells(column.fieldId(), column.name(), cells.type())) {
        elements.add(new CellColumn(column.fieldId(), column.name(), cells));
      } else {
        others.add(column);
        otherCells.add(target.get(ordinal));
      }
    }
    if (!elements.isEmpty()) {
      file.values(elements, rows, to, rows.length);
    }
    if (!others.isEmpty()) {
      new ObjectColumns(table, stored, others).read(rows, to, otherCells);
    }
  }

  private void requireValues(int ordinal, int[] rows, int[] slots, Cells cells) {
    FeatureColumn column = table.format().columns().get(ordinal);
    for (int i = 0; column.isRequired() && i < rows.length; i++) {
      if (!cells.isPresent(slots[i])) {
        throw TableErrors.nullInFile(stored.location(), rows[i] + " of the file", column.name());
      }
    }
  }

  /**
   * Copies the lineage of touched rows: an updated row keeps its id and takes the sequence number
   * of the commit.
   */
  void copyTouchedLineage(RowLineage target) {
    RowLineage all = lineage();
    for (int i = 0; i < slots.length; i++) {
      target.ids()[slots[i]] = all.ids()[positions[i]];
    }
  }

  /** Copies the lineage of rows that are only moved to another file. */
  void copyLineage(int[] rows, int firstSlot, RowLineage target) {
    RowLineage all = lineage();
    for (int i = 0; i < rows.length; i++) {
      target.ids()[firstSlot + i] = all.ids()[rows[i]];
      target.sequences()[firstSlot + i] = all.sequences()[rows[i]];
    }
  }

  /** Returns the lineage of all rows: what the file stores, else what its commit assigned. */
  private RowLineage lineage() {
    RowLineage all = RowLineage.inherited(file.rows());
    Long firstId = stored.data().firstRowId();
    Long sequence = stored.data().dataSequenceNumber();
    if (firstId == null || sequence == null) {
      return all;
    }
    RowLineage carried = file.lineage();
    for (int i = 0; i < file.rows(); i++) {
      long id = carried.ids()[i];
      long updated = carried.sequences()[i];
      all.ids()[i] = id == RowLineage.INHERITED ? firstId + i : id;
      all.sequences()[i] = updated == RowLineage.INHERITED ? sequence : updated;
    }
    return all;
  }

  @Override
  public void close() {
    file.close();
  }
}
