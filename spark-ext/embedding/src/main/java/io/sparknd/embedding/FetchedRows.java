/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding;

import io.sparknd.cluster.internal.shuffle.ShuffleBatch;
import io.sparknd.embedding.internal.EmbeddingErrors;
import io.sparknd.embedding.internal.rows.HalfFloatRows;
import io.sparknd.embedding.internal.rows.RowDirectory;
import io.sparknd.embedding.internal.rows.RowLayout;
import io.sparknd.tensor.DType;
import java.util.BitSet;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The rows that a shard requested in the previous job. The requesting task and the receiving task
 * each make the mini-batches. If these differed, rows would be assigned to the wrong ids, so each
 * row is checked against the id at its position.
 */
final class FetchedRows {
  private final RowLayout layout;
  private final RowDirectory ids;
  private final long[] wanted;
  private final int count;
  private final float[] rows;
  private final BitSet arrived = new BitSet();
  private @Nullable String problem;

  /**
   * Allocates the rows.
   *
   * @param wanted ids of the rows by position; only the first {@code count} are used
   */
  FetchedRows(RowLayout layout, RowDirectory ids, long[] wanted, int count) {
    this.layout = layout;
    this.ids = ids;
    this.wanted = wanted;
    this.count = count;
    this.rows = new float[Math.multiplyExact(count, layout.dim())];
  }

  /** Stores rows from partition {@code owner} at their positions. */
  void add(int owner, ShuffleBatch response) {
    int[] places = Objects.requireNonNull(response.rows());
    for (int i = 0; i < response.count(); i++) {
      int place = places[i];
      long address = response.locals()[i];
      if (isWanted(owner, address, place)) {
        arrived.set(place);
        place(response.payload(), i * layout.dim(), place * layout.dim());
      } else if (problem == null) {
        problem = mismatch(ids.id(owner, address), place);
      }
    }
  }

  private boolean isWanted(int owner, long address, int place) {
    return place < count
        && ids.owner(wanted[place]) == owner
        && ids.address(wanted[place]) == address;
  }

  private String mismatch(long requested, int place) {
    return place < count
        ? "it names id " + wanted[place] + " in place of id " + requested
        : "it asked for id " + requested + ", and names only " + count + " rows";
  }

  private void place(Object from, int at, int first) {
    if (layout.dtype() == DType.FLOAT32) {
      System.arraycopy(from, at, rows, first, layout.dim());
    } else {
      HalfFloatRows.widen(layout.dtype(), (short[]) from, at, rows, first, layout.dim());
    }
  }

  /**
   * Checks that all requested rows arrived, and no others.
   *
   * @throws io.sparknd.tensor.SparkNdException if they did not
   */
  void check(long step, int shard) {
    int missing = arrived.nextClearBit(0);
    if (problem == null && missing < count) {
      problem = "it names id " + wanted[missing] + ", which it did not ask for";
    }
    if (problem != null) {
      throw EmbeddingErrors.otherIds(step, shard, problem);
    }
  }

  /** Returns the rows, {@code [count, dim]}, float32. */
  float[] rows() {
    return rows;
  }
}
