/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.lookup;

import io.sparknd.cluster.internal.rows.NumberedRows;
import io.sparknd.cluster.internal.shuffle.KeyDictionary;
import java.util.Iterator;
import java.util.NoSuchElementException;
import org.apache.spark.sql.catalyst.InternalRow;

/**
 * Iterates over the rows that one task requests, each once per window. A window ends before the id
 * that would exceed its number of rows, even in the middle of a list.
 */
final class RequestedRows implements Iterator<NumberedRows> {
  private final Iterator<InternalRow> rows;
  private final ListReader lists;
  private final KeyDictionary numbers = new KeyDictionary();
  private final int windowSlots;
  private int next;

  RequestedRows(Iterator<InternalRow> rows, ListReader lists, int windowSlots) {
    this.rows = rows;
    this.lists = lists;
    this.windowSlots = windowSlots;
  }

  @Override
  public boolean hasNext() {
    return next < lists.count() || rows.hasNext();
  }

  /**
   * Returns one window. All but the last have {@code windowSlots} slots, so slot numbers identify
   * the window.
   */
  @Override
  public NumberedRows next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    numbers.clear();
    long[] slots = new long[windowSlots];
    while (hasNext()) {
      if (next == lists.count()) {
        lists.read(rows.next());
        next = 0;
      } else if (!lists.isDropped(next) && !addToWindow(lists.offset(next), slots)) {
        return new NumberedRows(slots, windowSlots);
      } else {
        next++;
      }
    }
    return new NumberedRows(slots, numbers.count());
  }

  private boolean addToWindow(long offset, long[] slots) {
    int slot = numbers.code(offset);
    if (slot < windowSlots) {
      slots[slot] = offset;
    }
    return slot < windowSlots;
  }
}
