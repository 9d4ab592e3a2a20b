/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.step;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The distinct ids that a shard's parts of mini-batches request of one table. */
public final class RequestedIds {
  private final TrainedTable table;

  /** The ids of each mini-batch. */
  private final List<long[]> ids = new ArrayList<>();

  /** The position of each id's row among all that are requested, by mini-batch. */
  private final List<int[]> positions = new ArrayList<>();

  /** Null before the first mini-batch. */
  private @Nullable IdNumbers numbers;

  RequestedIds(TrainedTable table) {
    this.table = table;
  }

  public int count() {
    return numbers == null ? 0 : numbers.count();
  }

  /** Returns the ids by position; only the first {@link #count} are used. */
  long[] distinct() {
    return numbers == null ? new long[0] : numbers.distinct();
  }

  /** Returns the rows of the ids by owner. */
  public List<OwnerRows> byOwner() {
    return numbers == null ? List.of() : numbers.byOwner();
  }

  /** Adds the ids of the next mini-batch. */
  void add(long[] next, long step) {
    for (int i = 0; i < next.length; i++) {
      table.check(next[i], i, step);
    }
    numbers = numbers == null ? IdNumbers.of(table.directory(), next.length) : numbers;
    ids.add(next);
    positions.add(numbers.numbers(next));
  }

  /** Forgets all mini-batches. */
  void clear() {
    ids.clear();
    positions.clear();
    if (numbers != null) {
      numbers.clear();
    }
  }

  /**
   * Returns the rows of mini-batch {@code i}.
   *
   * @param fetched all requested rows, by position
   */
  MiniBatchRows rows(int i, ShardRows fetched) {
    int dim = table.layout().dim();
    if (positions.size() == 1) {
      // slots are positions: both are numbered as ids first occur
      return new MiniBatchRows(
          dim,
          positions.get(0),
          Arrays.copyOf(distinct(), count()),
          fetched.rows(),
          fetched.gradients());
    }
    MiniBatchRows rows = MiniBatchRows.of(ids.get(i), dim, 0);
    for (int slot = 0; slot < rows.count(); slot++) {
      int at = Objects.requireNonNull(numbers).number(rows.ids()[slot]) * dim;
      System.arraycopy(fetched.rows(), at, rows.values(), slot * dim, dim);
    }
    return rows;
  }
}
