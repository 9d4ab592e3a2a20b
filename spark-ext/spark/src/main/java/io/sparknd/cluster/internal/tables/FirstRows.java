/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.tables;

import io.sparknd.cluster.internal.rows.NumberedRows;
import io.sparknd.op.SliceOffsets;
import io.sparknd.tensor.Storage;
import java.util.Arrays;
import java.util.Iterator;

/**
 * The first rows of each slice of a set in a partition: no more than two, which show a duplicate,
 * so that a task returns little however many rows it reads.
 */
final class FirstRows implements Iterator<NumberedRows> {
  private static final int ENOUGH = 2;

  private final Iterator<NumberedRows> chunks;
  private final Storage storage;
  private final int units;
  private final int[] seen;

  /**
   * @param chunks rows numbered by the places of their slices
   * @param slices number of slices in the set
   * @param units units of a slice
   */
  FirstRows(Iterator<NumberedRows> chunks, int slices, Storage storage, int units) {
    this.chunks = chunks;
    this.storage = storage;
    this.units = units;
    this.seen = new int[slices];
  }

  @Override
  public boolean hasNext() {
    return chunks.hasNext();
  }

  @Override
  public NumberedRows next() {
    NumberedRows chunk = chunks.next();
    long[] places = new long[chunk.count()];
    Object payload = storage.allocate(chunk.count() * units);
    int count = 0;
    for (int row = 0; row < chunk.count(); row++) {
      long place = chunk.numbers()[row];
      if (place != SliceOffsets.DROPPED && seen[(int) place]++ < ENOUGH) {
        System.arraycopy(chunk.payload(), row * units, payload, count * units, units);
        places[count++] = place;
      }
    }
    return new NumberedRows(
        Arrays.copyOf(places, count), count, storage.copyOfRange(payload, 0, count * units));
  }
}
