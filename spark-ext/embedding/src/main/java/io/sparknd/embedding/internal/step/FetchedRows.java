/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.step;

import io.sparknd.cluster.internal.shuffle.BatchKey;
import io.sparknd.cluster.internal.shuffle.ShuffleBatch;
import io.sparknd.embedding.internal.TrainingErrors;
import io.sparknd.embedding.internal.rows.RowDirectory;
import io.sparknd.embedding.internal.rows.RowLayout;
import io.sparknd.kernel.cpu.HalfRows;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The rows that a shard requested in the previous job. The requesting task and the receiving task
 * each make the mini-batches. If these differed, rows would be assigned to the wrong ids, so each
 * row is checked against the id at its position.
 */
final class FetchedRows implements ShardRows {
  private final RowLayout layout;
  private final RowDirectory directory;
  private final long[] requested;
  private final int count;
  private final float[] rows;
  private final BitSet arrived = new BitSet();
  private final SortedMap<BatchKey, OwnerRows> responses = new TreeMap<>();
  private @Nullable String problem;

  /**
   * Allocates the rows.
   *
   * @param requested ids of the rows by position; only the first {@code count} are used
   */
  FetchedRows(TrainedTable table, long[] requested, int count) {
    this.layout = table.layout();
    this.directory = table.directory();
    this.requested = requested;
    this.count = count;
    this.rows = new float[Math.multiplyExact(count, layout.dim())];
  }

  /** Stores rows from partition {@code owner} at their positions. */
  void add(BatchKey key, int owner, ShuffleBatch response) {
    int[] positions = Objects.requireNonNull(response.rows());
    responses.put(key, new OwnerRows(owner, response.locals(), positions));
    for (int i = 0; i < response.count(); i++) {
      int position = positions[i];
      long address = response.locals()[i];
      if (isRequested(owner, address, position)) {
        if (arrived.get(position)) {
          throw new IllegalStateException("row " + position + " of a shard arrived twice");
        }
        arrived.set(position);
        copyRow(response.payload(), i * layout.dim(), position * layout.dim());
      } else if (problem == null) {
        problem = mismatch(directory.id(owner, address), position);
      }
    }
  }

  private boolean isRequested(int owner, long address, int position) {
    return position < count && directory.isAt(requested[position], owner, address);
  }

  private String mismatch(long id, int position) {
    return position < count
        ? "it names id " + requested[position] + " in place of id " + id
        : "id " + id + " was requested, but it names only " + count + " rows";
  }

  private void copyRow(Object from, int at, int first) {
    if (from instanceof float[]) { // rows of models with several dtypes are widened before
      System.arraycopy(from, at, rows, first, layout.dim());
    } else {
      HalfRows.widen(layout.dtype(), (short[]) from, at, rows, first, layout.dim());
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
      problem = "it names id " + requested[missing] + ", which was not requested";
    }
    if (problem != null) {
      throw TrainingErrors.otherIds(step, shard, problem);
    }
  }

  @Override
  public List<OwnerRows> byOwner() {
    return List.copyOf(responses.values());
  }

  @Override
  public float[] rows() {
    return rows;
  }

  @Override
  public float[] gradients() {
    return new float[rows.length];
  }
}
