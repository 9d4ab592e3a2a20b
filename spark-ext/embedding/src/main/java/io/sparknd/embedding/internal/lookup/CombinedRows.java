/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.lookup;

import io.sparknd.cluster.internal.columnar.SliceAppender;
import io.sparknd.cluster.internal.gather.ResponseWindow;
import io.sparknd.cluster.internal.shuffle.KeyDictionary;
import java.util.Iterator;
import java.util.NoSuchElementException;
import org.apache.spark.sql.catalyst.InternalRow;
import org.jspecify.annotations.Nullable;

/**
 * Iterates over the rows of one partition with the combined rows of their lists. Windows are the
 * same as those of {@link RequestedRows}.
 */
final class CombinedRows implements Iterator<InternalRow> {
  private final Iterator<InternalRow> rows;
  private final ListReader lists;
  private final ResponseWindow responses;
  private final int windowSlots;
  private final ListFold fold;
  private final @Nullable Object fill;
  private final SliceAppender appender;
  private final Object combined;
  private final KeyDictionary numbers = new KeyDictionary();
  private boolean isFirst = true;

  CombinedRows(
      Iterator<InternalRow> rows,
      ListReader lists,
      ResponseWindow responses,
      int windowSlots,
      ResultColumn result) {
    this.rows = rows;
    this.lists = lists;
    this.responses = responses;
    this.windowSlots = windowSlots;
    this.fold = result.fold();
    this.fill = result.fill();
    this.appender = result.appender();
    this.combined = fold.allocate((int) result.slice().elements());
  }

  @Override
  public boolean hasNext() {
    return rows.hasNext();
  }

  @Override
  public InternalRow next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    InternalRow row = rows.next();
    lists.read(row);
    fold.begin();
    for (int i = 0; i < lists.count(); i++) {
      if (!lists.isDropped(i)) {
        int unit = responses.unit(slot(lists.offset(i)));
        fold.add(responses.slices(), unit, lists.weight(i));
      } else if (fill != null) {
        fold.add(fill, 0, lists.weight(i));
      }
    }
    fold.end(combined, 0);
    return appender.append(row, combined, 0);
  }

  private int slot(long offset) {
    int slot = numbers.code(offset);
    if (slot < windowSlots && !isFirst) {
      return slot;
    }
    isFirst = false;
    responses.next();
    numbers.clear();
    return numbers.code(offset);
  }
}
