/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.keyed;

import io.sparknd.table.internal.cell.Cells;
import io.sparknd.table.internal.feature.StoredFeatures;
import io.sparknd.table.internal.key.KeyList;
import io.sparknd.table.internal.store.BlockFiles;
import io.sparknd.table.internal.store.StoredFile;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.expressions.JoinedRow;
import org.jspecify.annotations.Nullable;

/**
 * The task of a lookup: adds the values of variables to rows, which arrive ordered by block and
 * key.
 *
 * @param columns ordinals of the columns to add
 */
public record FeatureLookupTask(
    Broadcast<StoredFeatures> table, Broadcast<Map<Long, BlockFiles>> files, List<Integer> columns)
    implements Serializable {
  /** Rows that are looked up at once, unless they have one key. */
  private static final int WINDOW = 1 << 15;

  /** Returns the rows with their values; each is valid only until the next is read. */
  public Iterator<InternalRow> run(Iterator<InternalRow> rows) {
    return new Lookup(rows);
  }

  private final class Lookup implements Iterator<InternalRow> {
    private final Iterator<InternalRow> rows;
    private final JoinedRow joined = new JoinedRow();
    private @Nullable InternalRow ahead;
    private List<InternalRow> window = List.of();
    private int[] slots = {};
    private List<Cells> cells = List.of();
    private BitSet found = new BitSet();
    private int next;

    Lookup(Iterator<InternalRow> rows) {
      this.rows = rows;
    }

    @Override
    public boolean hasNext() {
      if (next == window.size() && (ahead != null || rows.hasNext())) {
        read();
      }
      return next < window.size();
    }

    @Override
    public InternalRow next() {
      if (!hasNext()) {
        throw new NoSuchElementException();
      }
      Object[] values = new Object[columns.size()];
      int slot = slots[next];
      for (int c = 0; c < values.length; c++) {
        values[c] = found.get(slot) ? cells.get(columns.get(c)).value(slot) : null;
      }
      return joined.apply(window.get(next++), new GenericInternalRow(values));
    }

    /** Reads the next rows of one block, and their values. */
    private void read() {
      window = new ArrayList<>();
      next = 0;
      KeyList keys = new KeyList();
      slots = new int[16];
      InternalRow row = ahead == null ? rows.next().copy() : ahead;
      ahead = null;
      long block = row.getLong(0);
      while (row != null) {
        byte[] key = row.getBinary(2);
        boolean isNew = keys.count() == 0 || !keys.isEqual(keys.count() - 1, key);
        if (row.getLong(0) != block || isNew && window.size() >= WINDOW) {
          ahead = row;
          break;
        }
        if (isNew) {
          keys.add(key);
        }
        add(row, keys.count() - 1);
        row = rows.hasNext() ? rows.next().copy() : null;
      }
      lookUp(block, keys);
    }

    private void add(InternalRow row, int slot) {
      if (window.size() == slots.length) {
        slots = Arrays.copyOf(slots, 2 * slots.length);
      }
      slots[window.size()] = slot;
      window.add(row);
    }

    private void lookUp(long block, KeyList keys) {
      StoredFeatures stored = table.value();
      cells =
          stored.format().columns().stream()
              .map(column -> column.type().allocate(keys.count()))
              .toList();
      found = new BitSet();
      BlockFiles inBlock = files.value().getOrDefault(block, BlockFiles.none(block));
      for (StoredFile file : inBlock.files()) {
        try (OpenFeatureFile open = OpenFeatureFile.open(stored, file)) {
          open.match(keys, found);
          open.readTouched(columns, cells);
        }
      }
    }
  }
}
