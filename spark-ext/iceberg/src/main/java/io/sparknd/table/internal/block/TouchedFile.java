/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.block;

import io.sparknd.table.internal.TableErrors;
import io.sparknd.table.internal.file.RowLineage;
import java.util.Arrays;
import java.util.BitSet;

/** The live rows of a file, split into touched rows, which updates name, and untouched ones. */
final class TouchedFile implements FileMergePolicy.Candidate {
  private final OpenFile file;
  private final int[] slots;
  private final int touched;

  private TouchedFile(OpenFile file, int[] slots, int touched) {
    this.file = file;
    this.slots = slots;
    this.touched = touched;
  }

  /**
   * Splits the rows of a file.
   *
   * @param seen slots of touched rows in other files; those of this file are added
   * @throws io.sparknd.tensor.SparkNdException if a row is in the table twice
   */
  static TouchedFile of(OpenFile file, TouchedRows rows, BitSet seen, long firstRow) {
    long[] live = file.rows();
    int[] slots = new int[live.length];
    int touched = 0;
    for (int i = 0; i < live.length; i++) {
      slots[i] = rows.slot(live[i]);
      if (slots[i] >= 0) {
        touched++;
        if (seen.get(slots[i])) {
          throw TableErrors.duplicateRow(file.stored().location(), firstRow + live[i]);
        }
        seen.set(slots[i]);
      }
    }
    return new TouchedFile(file, slots, touched);
  }

  OpenFile file() {
    return file;
  }

  @Override
  public int touched() {
    return touched;
  }

  @Override
  public int untouched() {
    return slots.length - touched;
  }

  /** Returns the positions in the file of the touched rows, ascending. */
  int[] touchedPositions() {
    int[] positions = new int[touched];
    int count = 0;
    for (int i = 0; i < slots.length && count < touched; i++) {
      positions[count] = file.positions()[i];
      count += slots[i] >= 0 ? 1 : 0;
    }
    return positions;
  }

  /** Returns the untouched rows, in file order. */
  long[] untouchedRows() {
    long[] rows = new long[untouched()];
    int count = 0;
    for (int i = 0; i < slots.length; i++) {
      if (slots[i] < 0) {
        rows[count++] = file.rows()[i];
      }
    }
    return rows;
  }

  /**
   * Copies lineage: an updated row keeps its id and takes the sequence number of the commit; an
   * untouched row keeps both.
   *
   * @param first slot of the first untouched row, as for {@link #read}
   */
  void copyLineage(int first, RowLineage target, Wanted wanted) {
    RowLineage lineage = file.lineage();
    int next = first;
    for (int i = 0; i < slots.length; i++) {
      if (slots[i] >= 0) {
        target.ids()[slots[i]] = lineage.ids()[i];
      } else if (wanted == Wanted.ALL) {
        target.ids()[next] = lineage.ids()[i];
        target.sequences()[next++] = lineage.sequences()[i];
      }
    }
  }

  /** The rows to read. */
  enum Wanted {
    TOUCHED,
    UNTOUCHED,
    ALL
  }

  /** Takes rows of the file with the slots to read them to. */
  private interface RowTarget {
    /**
     * @param positions ascending
     * @param count number of valid entries in both arrays
     */
    void read(int[] positions, int[] to, int count);
  }

  /**
   * Reads values: touched rows to their slots, untouched rows to consecutive slots.
   *
   * @param first slot of the first untouched row
   */
  void read(Wanted wanted, int first, Object target) {
    select(wanted, first, (positions, to, count) -> file.values(positions, to, count, target));
  }

  /**
   * Reads columns of others, to the same slots as {@link #read}.
   *
   * @param first slot of the first untouched row
   */
  void readAdditional(Wanted wanted, int first, AdditionalColumns target) {
    if (!target.areNone()) {
      select(
          wanted,
          first,
          (positions, to, count) -> file.readAdditional(positions, to, count, target));
    }
  }

  private void select(Wanted wanted, int first, RowTarget target) {
    int[] positions = new int[slots.length];
    int[] to = new int[slots.length];
    int count = 0;
    int next = first;
    for (int i = 0; i < slots.length; i++) {
      boolean named = slots[i] >= 0;
      if (wanted == Wanted.ALL || named == (wanted == Wanted.TOUCHED)) {
        positions[count] = file.positions()[i];
        to[count++] = named ? slots[i] : next++;
      }
    }
    if (count > 0) {
      target.read(positions, Arrays.copyOf(to, count), count);
    }
  }
}
