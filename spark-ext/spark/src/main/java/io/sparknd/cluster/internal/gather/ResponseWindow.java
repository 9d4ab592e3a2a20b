/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.gather;

import io.sparknd.cluster.internal.partition.BlockLayout.Pieces;
import io.sparknd.cluster.internal.shuffle.BatchKey;
import io.sparknd.cluster.internal.shuffle.ShuffleBatch;
import io.sparknd.tensor.Storage;
import java.util.Iterator;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import scala.Tuple2;

/** The requested slices of one window of a task's slots at a time. */
public final class ResponseWindow {
  private final Iterator<Tuple2<BatchKey, ShuffleBatch>> responses;
  private final Pieces pieces;
  private final int slots;
  private final Storage storage;
  private final int units;
  private Object slices;
  private int room;
  private @Nullable ShuffleBatch response;
  private long window = -1;

  /**
   * @param responses ordered by window
   */
  ResponseWindow(Iterator<Tuple2<BatchKey, ShuffleBatch>> responses, RequestedSlices requested) {
    this.responses = responses;
    this.pieces = requested.pieces();
    this.slots = requested.windowSlots();
    this.units = (int) (slots * pieces.perSlice()) * pieces.units();
    this.storage = requested.dtype().storage();
    this.slices = storage.allocate(0);
  }

  /**
   * Advances to the next window, or to the first at the first call, and fills slots without a
   * request.
   *
   * @param fill the units of a whole window
   */
  void next(Object fill) {
    reserve(units);
    System.arraycopy(fill, 0, slices, 0, units);
    next();
  }

  /** Advances to the next window, or to the first at the first call. */
  public void next() {
    window++;
    long first = window * slots * pieces.perSlice();
    long end = first + slots * pieces.perSlice();
    for (ShuffleBatch next = nextResponse(); next != null && next.locals()[0] < end; ) {
      int[] rows = Objects.requireNonNull(next.rows());
      for (int i = 0; i < next.count(); i++) {
        int from = rows[i] * pieces.units();
        int to = (int) (next.locals()[i] - first) * pieces.units();
        reserve(to + pieces.units());
        System.arraycopy(next.payload(), from, slices, to, pieces.units());
      }
      response = null;
      next = nextResponse();
    }
  }

  /** Returns the first response that no window has taken; null at the end. */
  private @Nullable ShuffleBatch nextResponse() {
    if (response == null && responses.hasNext()) {
      response = responses.next()._2();
    }
    return response;
  }

  /** Grows the array to {@code needed} units; most tasks request less than a window. */
  private void reserve(int needed) {
    if (room < needed) {
      int more = (int) Math.min(units, Math.max(needed, 2L * room));
      Object larger = storage.allocate(more);
      System.arraycopy(slices, 0, larger, 0, room);
      slices = larger;
      room = more;
    }
  }

  /**
   * Returns the window's slices in an array of the dtype's storage. The next window may overwrite
   * or replace the array.
   */
  public Object slices() {
    return slices;
  }

  /** Returns the unit of {@link #slices} at which the slice of {@code slot} begins. */
  public int unit(int slot) {
    return (int) (slot * pieces.perSlice()) * pieces.units();
  }
}
