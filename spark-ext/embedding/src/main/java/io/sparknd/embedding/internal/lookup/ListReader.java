/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.lookup;

import io.sparknd.cluster.internal.ClusterErrors;
import io.sparknd.cluster.internal.columnar.ListColumn;
import io.sparknd.cluster.internal.rows.RowErrors;
import io.sparknd.embedding.internal.EmbeddingErrors;
import io.sparknd.op.SliceOffsets;
import io.sparknd.op.TupleOffset;
import io.sparknd.tensor.SparkNdException;
import java.util.Optional;
import org.apache.spark.sql.catalyst.InternalRow;
import org.jspecify.annotations.Nullable;

/** Reads the lists of one partition, row by row. */
final class ListReader {
  /** A column with its name for messages and its reader. */
  record Column<T>(String name, T reader) {}

  private final Column<ListColumn.Integers> ids;
  private final Optional<Column<ListColumn.Numbers>> weights;
  private final Optional<TupleOffset> tuples;
  private final int partition;
  private final @Nullable RowErrors rowErrors;
  private final long[] tuple = new long[1];
  private long[] offsets = new long[0];
  private int count;
  private long row = -1;
  private boolean failed;

  /**
   * Starts before the first row.
   *
   * @param tuples converts ids to row numbers; empty if ids are keys
   * @param rowErrors receives the first invalid row; null if all rows were checked before
   */
  ListReader(
      Column<ListColumn.Integers> ids,
      Optional<Column<ListColumn.Numbers>> weights,
      Optional<TupleOffset> tuples,
      int partition,
      @Nullable RowErrors rowErrors) {
    this.ids = ids;
    this.weights = weights;
    this.tuples = tuples;
    this.partition = partition;
    this.rowErrors = rowErrors;
  }

  /** Reads the lists of {@code next}; an invalid row has empty lists. */
  void read(InternalRow next) {
    row++;
    count = 0;
    String problem = ids.reader().read(next);
    if (problem != null) {
      reject(EmbeddingErrors.lookupList(partition, row, ids.name(), problem));
      return;
    }
    int length = ids.reader().count();
    if (weights.isPresent() && !readWeights(next, length)) {
      return;
    }
    if (resolve(length)) {
      count = length;
    }
  }

  private boolean readWeights(InternalRow next, int length) {
    Column<ListColumn.Numbers> column = weights.orElseThrow();
    String problem = column.reader().read(next);
    if (problem == null && column.reader().count() != length) {
      problem = "has " + column.reader().count() + " weights for " + length + " ids";
    }
    if (problem != null) {
      reject(EmbeddingErrors.lookupList(partition, row, column.name(), problem));
    }
    return problem == null;
  }

  private boolean resolve(int length) {
    long[] values = ids.reader().values();
    if (tuples.isEmpty()) {
      offsets = values;
      return true;
    }
    TupleOffset rows = tuples.get();
    offsets = offsets.length < values.length ? new long[values.length] : offsets;
    for (int i = 0; i < length; i++) {
      offsets[i] = rows.offset(values, i);
      if (offsets[i] == TupleOffset.INVALID) {
        tuple[0] = values[i];
        reject(rows.error(position(i), tuple));
        return false;
      }
    }
    return true;
  }

  private String position(int i) {
    return ids.name() + "[" + i + "] in row " + row + " of partition " + partition;
  }

  /** Reports the first invalid row only: rows are read in ascending order. */
  private void reject(SparkNdException error) {
    if (rowErrors == null) {
      throw ClusterErrors.indexRowsChanged();
    }
    if (!failed) {
      rowErrors.reject(partition, row, error);
    }
    failed = true;
  }

  /** Returns the number of ids of the row. */
  int count() {
    return count;
  }

  /** Returns whether id {@code i} is dropped because it has no row. */
  boolean isDropped(int i) {
    return tuples.isPresent() && offsets[i] == SliceOffsets.DROPPED;
  }

  /** Returns the row that id {@code i} names: its number, or the id itself if ids are keys. */
  long offset(int i) {
    return offsets[i];
  }

  double weight(int i) {
    return weights.isPresent() ? weights.get().reader().values()[i] : 1;
  }
}
