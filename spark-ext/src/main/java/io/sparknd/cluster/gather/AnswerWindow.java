/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.gather;

import io.sparknd.cluster.exchange.BatchKey;
import io.sparknd.cluster.exchange.UpdateBatch;
import io.sparknd.cluster.layout.BlockLayout.Pieces;
import java.util.Iterator;
import scala.Tuple2;

/** The slices that answer one window of a task's slots; then those of the next. */
public final class AnswerWindow {
  private final Iterator<Tuple2<BatchKey, UpdateBatch>> answers;
  private final Pieces pieces;
  private final int slots;
  private final Object slices;
  private final int units;
  private UpdateBatch answer;
  private long window = -1;

  /**
   * @param answers by window
   */
  AnswerWindow(Iterator<Tuple2<BatchKey, UpdateBatch>> answers, AskedSlices asked) {
    this.answers = answers;
    this.pieces = asked.pieces();
    this.slots = asked.windowSlots();
    this.units = (int) (slots * pieces.perSlice()) * pieces.units();
    this.slices = asked.dtype().storage().allocate(units);
  }

  /**
   * As {@link #next()}.
   *
   * @param fill what the window holds where nothing was asked for
   */
  void next(Object fill) {
    System.arraycopy(fill, 0, slices, 0, units);
    next();
  }

  /** Goes on to the next window, at first to the first one. */
  public void next() {
    window++;
    long first = window * slots * pieces.perSlice();
    long end = first + slots * pieces.perSlice();
    while (nextAnswer() && answer.offsets()[0] < end) {
      for (int i = 0; i < answer.count(); i++) {
        int from = answer.rows()[i] * pieces.units();
        int to = (int) (answer.offsets()[i] - first) * pieces.units();
        System.arraycopy(answer.payload(), from, slices, to, pieces.units());
      }
      answer = null;
    }
  }

  private boolean nextAnswer() {
    if (answer == null && answers.hasNext()) {
      answer = answers.next()._2();
    }
    return answer != null;
  }

  /** An array of the dtype's storage with the slices of all slots. */
  public Object slices() {
    return slices;
  }

  /** The unit of {@link #slices} at which that of {@code slot} begins. */
  public int unit(int slot) {
    return (int) (slot * pieces.perSlice()) * pieces.units();
  }
}
