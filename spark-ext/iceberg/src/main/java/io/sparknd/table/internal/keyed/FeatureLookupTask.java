/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.keyed;

import io.sparknd.metrics.MissingKeyListener;
import io.sparknd.metrics.TaskMetrics;
import io.sparknd.table.internal.key.KeyList;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import org.apache.spark.TaskContext;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.expressions.JoinedRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.util.TaskCompletionListener;
import org.jspecify.annotations.Nullable;

/**
 * The task of a lookup: adds the values of variables to rows, which arrive ordered by block and
 * key, and whether their key was found.
 *
 * @param columns ordinals of the columns to add
 * @param valueBytes bytes of the values of a row
 * @param listener is told how many keys were not found
 */
record FeatureLookupTask(
    KeyedLookup lookup, List<Integer> columns, long valueBytes, MissingKeyListener listener)
    implements Serializable {
  /** Bytes of rows and their values that are looked up at once: small files are read as often. */
  private static final long WINDOW_BYTES = 64L << 20;

  /** What a row takes beside its own bytes, and the bytes of one that does not tell its size. */
  private static final int ROW_BYTES = 128;

  private static final KeyedLookup.Found NOTHING = new KeyedLookup.Found(new int[0], List.of());

  /** Returns the rows with their values; each is valid only until the next is read. */
  Iterator<InternalRow> run(Iterator<InternalRow> rows) {
    Lookup all = new Lookup(rows);
    TaskContext.get()
        .addTaskCompletionListener((TaskCompletionListener) context -> all.closeBlock());
    return all;
  }

  private final class Lookup implements Iterator<InternalRow> {
    private final Iterator<InternalRow> rows;
    private final JoinedRow joined = new JoinedRow();
    private @Nullable InternalRow ahead;
    private KeyedLookup.@Nullable Block opened;
    private long openedBlock;
    private List<InternalRow> ready = List.of();
    private KeyedLookup.Found found = NOTHING;
    private int next;

    Lookup(Iterator<InternalRow> rows) {
      this.rows = rows;
    }

    @Override
    public boolean hasNext() {
      if (next == ready.size() && (ahead != null || rows.hasNext())) {
        read();
      }
      return next < ready.size();
    }

    @Override
    public InternalRow next() {
      if (!hasNext()) {
        throw new NoSuchElementException();
      }
      Object[] values = new Object[columns.size() + 1];
      int slot = found.slots()[next];
      for (int c = 0; c < columns.size(); c++) {
        values[c] = slot < 0 ? null : found.cells().get(columns.get(c)).value(slot);
      }
      values[columns.size()] = slot >= 0;
      return joined.apply(ready.get(next++), new GenericInternalRow(values));
    }

    /** Reads the next rows of one block, and their values. */
    private void read() {
      ready = new ArrayList<>();
      next = 0;
      KeyList keys = new KeyList();
      int[] firstRows = new int[16];
      InternalRow row = ahead == null ? rows.next().copy() : ahead;
      ahead = null;
      long block = row.getLong(0);
      long bytes = 0;
      while (row != null) {
        byte[] key = row.getBinary(2);
        boolean isNew = keys.count() == 0 || !keys.isEqual(keys.count() - 1, key);
        if (row.getLong(0) != block || bytes > WINDOW_BYTES) {
          ahead = row;
          break;
        }
        if (isNew) {
          firstRows =
              keys.count() < firstRows.length
                  ? firstRows
                  : Arrays.copyOf(firstRows, 2 * firstRows.length);
          firstRows[keys.count()] = ready.size();
          keys.add(key);
        }
        ready.add(row);
        bytes += valueBytes + ROW_BYTES + (row instanceof UnsafeRow own ? own.getSizeInBytes() : 0);
        row = rows.hasNext() ? rows.next().copy() : null;
      }
      firstRows = Arrays.copyOf(firstRows, keys.count() + 1);
      firstRows[keys.count()] = ready.size();
      found = block(block).find(new KeyedLookup.Wanted(keys, ready, firstRows, columns));
      long missing = Arrays.stream(found.slots()).filter(slot -> slot < 0).count();
      listener.missed(missing);
      TaskMetrics.missed(missing);
    }

    private KeyedLookup.Block block(long block) {
      if (opened == null || openedBlock != block) {
        closeBlock();
        opened = lookup.open(block);
        openedBlock = block;
      }
      return opened;
    }

    void closeBlock() {
      if (opened != null) {
        opened.close();
        opened = null;
      }
    }
  }
}
