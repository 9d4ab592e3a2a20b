/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.keyed;

import io.sparknd.table.internal.cell.Cells;
import io.sparknd.table.internal.key.KeyList;
import java.io.Closeable;
import java.io.Serializable;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;

/** Finds the stored values of keys. */
interface KeyedLookup extends Serializable {

  /** Opens a block. */
  Block open(long block);

  /** A block of the table; its files are opened once. */
  interface Block extends Closeable {

    /**
     * Finds the values of rows.
     *
     * @param wanted the rows; keys ascend from one call to the next
     */
    Found find(Wanted wanted);

    @Override
    void close();
  }

  /**
   * Rows whose values are wanted.
   *
   * @param keys the distinct keys of the rows, ascending
   * @param rows the rows, ascending by key
   * @param firstRows the first row of each key, and last the number of rows
   * @param columns ordinals of the wanted columns
   */
  record Wanted(KeyList keys, List<InternalRow> rows, int[] firstRows, List<Integer> columns) {

    /** Returns the number of the key of each row. */
    int[] keyOfRow() {
      int[] keyOfRow = new int[rows.size()];
      for (int key = 0; key < keys.count(); key++) {
        Arrays.fill(keyOfRow, firstRows[key], firstRows[key + 1], key);
      }
      return keyOfRow;
    }
  }

  /**
   * Values of rows.
   *
   * @param slots the slot of each row; -1 if nothing is stored
   * @param cells cells of all columns of the table
   */
  record Found(int[] slots, List<Cells> cells) {}
}
