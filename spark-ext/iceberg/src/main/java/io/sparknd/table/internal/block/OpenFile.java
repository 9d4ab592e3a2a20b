/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.block;

import io.sparknd.table.internal.TableErrors;
import io.sparknd.table.internal.file.DeletedPositions;
import io.sparknd.table.internal.file.RowFileReader;
import io.sparknd.table.internal.file.RowLineage;
import io.sparknd.table.internal.store.StoredFile;
import io.sparknd.table.internal.store.StoredTensor;
import java.io.Closeable;
import java.util.Arrays;
import org.apache.iceberg.deletes.PositionDeleteIndex;
import org.apache.iceberg.io.FileIO;

/** A data file that a task has open, with its live rows and their positions. */
final class OpenFile implements Closeable {
  private final StoredTensor tensor;
  private final StoredFile stored;
  private final RowFileReader file;
  private final PositionDeleteIndex deleted;
  private final long[] rows;
  private final int[] positions;

  private OpenFile(
      StoredTensor tensor,
      StoredFile stored,
      RowFileReader file,
      PositionDeleteIndex deleted,
      long[] rows,
      int[] positions) {
    this.tensor = tensor;
    this.stored = stored;
    this.file = file;
    this.deleted = deleted;
    this.rows = rows;
    this.positions = positions;
  }

  /**
   * Opens a file and reads its index columns, but no values.
   *
   * @param firstRow offset of the block's first row
   * @param perBlock rows of a full block
   */
  static OpenFile open(StoredTensor tensor, StoredFile stored, long firstRow, long perBlock) {
    FileIO io = tensor.table().io();
    PositionDeleteIndex deleted =
        DeletedPositions.read(tensor.name(), io, stored.deletes(), stored.location());
    RowFileReader file =
        RowFileReader.open(stored.in(tensor), tensor.format().rows(), tensor.checksums());
    try {
      long[] offsets = deleted.isEmpty() ? file.offsets() : file.offsets(deleted::isDeleted);
      int[] positions = live(offsets.length, deleted);
      long[] rows = new long[positions.length];
      for (int i = 0; i < rows.length; i++) {
        rows[i] = offsets[positions[i]] - firstRow;
        if (rows[i] < 0 || rows[i] >= perBlock) {
          throw TableErrors.rowInWrongBlock(stored.location(), offsets[positions[i]]);
        }
      }
      return new OpenFile(tensor, stored, file, deleted, rows, positions);
    } catch (RuntimeException e) {
      file.close();
      throw e;
    }
  }

  /** Reads columns of others, as {@link AdditionalColumns#read} does. */
  void readAdditional(int[] at, int[] slots, int count, AdditionalColumns target) {
    target.read(tensor, stored, at, slots, count);
  }

  private static int[] live(int count, PositionDeleteIndex deleted) {
    int[] positions = new int[count];
    int live = 0;
    for (int i = 0; i < count; i++) {
      positions[live] = i;
      live += deleted.isEmpty() || !deleted.isDeleted(i) ? 1 : 0;
    }
    return Arrays.copyOf(positions, live);
  }

  StoredFile stored() {
    return stored;
  }

  /** Returns the positions deleted by earlier commits. */
  PositionDeleteIndex deleted() {
    return deleted;
  }

  /** Returns the live rows as numbers in the block, in file order; not to be modified. */
  long[] rows() {
    return rows;
  }

  /** Returns the position in the file of each of {@link #rows}; not to be modified. */
  int[] positions() {
    return positions;
  }

  /** Reads values as {@link RowFileReader#values(int[], int[], int, Object)} does. */
  void values(int[] at, int[] slots, int count, Object target) {
    file.values(at, slots, count, target);
  }

  /**
   * Returns the lineage of the live rows, in file order: the values stored in the file, else those
   * that the file's commit assigned. A file written before version 3 of the table has no lineage,
   * so its rows inherit again.
   */
  RowLineage lineage() {
    RowLineage live = RowLineage.inherited(positions.length);
    Long firstId = stored.data().firstRowId();
    Long sequence = stored.data().dataSequenceNumber();
    if (firstId == null || sequence == null) {
      return live;
    }
    RowLineage carried = file.lineage();
    for (int i = 0; i < positions.length; i++) {
      long id = carried.ids()[positions[i]];
      long updated = carried.sequences()[positions[i]];
      live.ids()[i] = id == RowLineage.INHERITED ? firstId + positions[i] : id;
      live.sequences()[i] = updated == RowLineage.INHERITED ? sequence : updated;
    }
    return live;
  }

  /**
   * Checks that no row occurs twice.
   *
   * @param all rows of the block's files up to this one
   * @throws io.sparknd.tensor.SparkNdException if a row occurs twice
   */
  void rejectRepeated(SortedRows all, long firstRow) {
    long repeated = all.repeated();
    if (repeated >= 0) {
      throw TableErrors.duplicateRow(stored.location(), firstRow + repeated);
    }
  }

  @Override
  public void close() {
    file.close();
  }
}
