/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.rows;

import io.sparknd.op.SliceOffsets;
import io.sparknd.tensor.Storage;
import java.util.Arrays;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The rows of the slices of a set, numbered by their places in it. Dropped rows stay, because they
 * are counted.
 */
final class SelectedRows implements Iterator<NumberedRows> {
  private final Iterator<NumberedRows> chunks;
  private final SliceSet slices;
  private final Storage storage;
  private final int units;
  private @Nullable NumberedRows next;

  /**
   * @param units units of a slice
   */
  SelectedRows(Iterator<NumberedRows> chunks, SliceSet slices, Storage storage, int units) {
    this.chunks = chunks;
    this.slices = slices;
    this.storage = storage;
    this.units = units;
  }

  @Override
  public boolean hasNext() {
    while (next == null && chunks.hasNext()) {
      next = selected(chunks.next());
    }
    return next != null;
  }

  @Override
  public NumberedRows next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    NumberedRows chunk = Objects.requireNonNull(next);
    next = null;
    return chunk;
  }

  /** Returns the selected rows of a chunk, or null if there are none. */
  private @Nullable NumberedRows selected(NumberedRows chunk) {
    long[] places = new long[chunk.count()];
    int[] rows = new int[chunk.count()];
    int count = 0;
    for (int row = 0; row < chunk.count(); row++) {
      long number = chunk.numbers()[row];
      long place = number == SliceOffsets.DROPPED ? number : slices.place(number);
      if (place >= 0 || number == SliceOffsets.DROPPED) {
        places[count] = place;
        rows[count++] = row;
      }
    }
    return count == 0
        ? null
        : new NumberedRows(Arrays.copyOf(places, count), count, payload(chunk, rows, count));
  }

  private Object payload(NumberedRows chunk, int[] rows, int count) {
    Object selected = storage.allocate(count * units);
    for (int i = 0; i < count; i++) {
      System.arraycopy(chunk.payload(), rows[i] * units, selected, i * units, units);
    }
    return selected;
  }
}
