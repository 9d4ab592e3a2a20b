/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.block;

import io.sparknd.table.TableErrors;
import io.sparknd.table.file.RowLineage;
import java.util.Arrays;
import java.util.BitSet;

/** The live rows of a file, told apart by whether updates name them. */
final class SplitFile {
  private final OpenFile file;
  private final int[] slots;
  private final int touched;

  private SplitFile(OpenFile file, int[] slots, int touched) {
    this.file = file;
    this.slots = slots;
    this.touched = touched;
  }

  /**
   * @param seen slots of rows that other files hold; those of this one are added
   * @throws io.sparknd.tensor.SparkNdException if a row is in the table twice
   */
  static SplitFile of(OpenFile file, TouchedRows rows, BitSet seen, long firstRow) {
    long[] live = file.rows();
    int[] slots = new int[live.length];
    int touched = 0;
    for (int i = 0; i < live.length; i++) {
      slots[i] = rows.slot(live[i]);
      if (slots[i] >= 0) {
        touched++;
        if (seen.get(slots[i])) {
          throw TableErrors.rowTwice(file.stored().location(), firstRow + live[i]);
        }
        seen.set(slots[i]);
      }
    }
    return new SplitFile(file, slots, touched);
  }

  OpenFile file() {
    return file;
  }

  /** Live rows that updates name. */
  int touched() {
    return touched;
  }

  /** Live rows that none names. */
  int untouched() {
    return slots.length - touched;
  }

  /** Positions in the file of the rows that updates name, ascending. */
  int[] touchedPositions() {
    int[] positions = new int[touched];
    int count = 0;
    for (int i = 0; i < slots.length && count < touched; i++) {
      positions[count] = file.positions()[i];
      count += slots[i] >= 0 ? 1 : 0;
    }
    return positions;
  }

  /** The rows that none names, in file order. */
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
   * Carries lineage over: an updated row keeps its id and takes the sequence number of the commit;
   * a row that no update names keeps both.
   *
   * @param first slot of the first row that none names, as for {@link #read}
   */
  void carry(int first, RowLineage target, Wanted wanted) {
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

  /** Which rows to read. */
  enum Wanted {
    TOUCHED,
    UNTOUCHED,
    ALL
  }

  /**
   * Reads values: of rows that updates name to their slots, of others to one slot after the other.
   *
   * @param first slot of the first row that none names
   */
  void read(Wanted wanted, int first, Object target) {
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
      file.values(positions, Arrays.copyOf(to, count), count, target);
    }
  }
}
