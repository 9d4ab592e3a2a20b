/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.rows;

import io.sparknd.cluster.internal.ClusterErrors;
import io.sparknd.cluster.internal.columnar.InternalRows;
import io.sparknd.op.SliceOffsets;
import io.sparknd.op.TupleOffset;
import io.sparknd.tensor.SparkNdException;
import java.util.Arrays;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.DataType;
import org.jspecify.annotations.Nullable;

/**
 * Reads the index columns of the rows of one partition as offsets. A row with an error is reported,
 * for the driver to throw, and dropped.
 */
public final class RowIndices {
  private final int[] ordinals;
  private final DataType[] types;
  private final int partition;
  private final RowNames names;
  private final TupleOffset tuples;
  private final @Nullable RowErrorSink rowErrors;
  private final long[] tuple;
  private long row = -1;
  private boolean failed;

  RowIndices(
      int[] ordinals,
      DataType[] types,
      RowNames names,
      int partition,
      TupleOffset tuples,
      @Nullable RowErrorSink rowErrors) {
    this.names = names;
    this.ordinals = ordinals;
    this.types = types;
    this.partition = partition;
    this.tuples = tuples;
    this.rowErrors = rowErrors;
    this.tuple = new long[ordinals.length];
  }

  /** Returns the offset of the next row, or {@link SliceOffsets#DROPPED}. */
  public long offset(InternalRow next) {
    row++;
    for (int d = 0; d < tuple.length; d++) {
      if (next.isNullAt(ordinals[d])) {
        reject(ClusterErrors.nullIndex(names.row(partition, row), names.columns().get(d)));
        return SliceOffsets.DROPPED;
      }
      tuple[d] = InternalRows.integer(next, ordinals[d], types[d]);
    }
    long offset = tuples.offset(tuple, 0);
    if (offset == TupleOffset.INVALID) {
      reject(tuples.error(names.row(partition, row), tuple));
      return SliceOffsets.DROPPED;
    }
    return offset;
  }

  /** Returns whether any row so far had an error. */
  public boolean failed() {
    return failed;
  }

  /**
   * Writes the offsets of the next {@code count} rows to {@code offsets}.
   *
   * @param columns their index columns, without nulls
   * @return false if a row has an error; the caller then reads the same rows one by one
   */
  boolean offsets(long[][] columns, int count, long[] offsets) {
    if (tuple.length == 1 && tuples.offsets(columns[0], 0, count, offsets, 0)) {
      row += count;
      return true;
    }
    for (int i = 0; i < count; i++) {
      for (int d = 0; d < tuple.length; d++) {
        tuple[d] = columns[d][i];
      }
      offsets[i] = tuples.offset(tuple, 0);
      if (offsets[i] == TupleOffset.INVALID) {
        return false;
      }
    }
    row += count;
    return true;
  }

  /** Reports that the value of the row just read cannot be used. */
  void rejectValue(String problem) {
    reject(ClusterErrors.badValue(names.row(partition, row), Arrays.toString(tuple), problem));
  }

  /** Reports the first unusable row only, since rows come in ascending order. */
  private void reject(SparkNdException error) {
    if (!failed && rowErrors != null) {
      rowErrors.add(new RowErrors.RowError(partition, row, error));
    }
    failed = true;
  }
}
