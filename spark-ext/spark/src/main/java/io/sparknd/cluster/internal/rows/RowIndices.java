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
 * Reads the index columns of the rows of one partition as offsets. A refused row is reported, for
 * the driver to throw, and dropped.
 */
public final class RowIndices {
  private final int[] ordinals;
  private final DataType[] types;
  private final int partition;
  private final RowNames names;
  private final TupleOffset tuples;
  private final @Nullable RowErrorSink refusals;
  private final long[] tuple;
  private long row = -1;
  private boolean refused;

  RowIndices(
      int[] ordinals,
      DataType[] types,
      RowNames names,
      int partition,
      TupleOffset tuples,
      @Nullable RowErrorSink refusals) {
    this.names = names;
    this.ordinals = ordinals;
    this.types = types;
    this.partition = partition;
    this.tuples = tuples;
    this.refusals = refusals;
    this.tuple = new long[ordinals.length];
  }

  /** Returns the offset of the next row, or {@link SliceOffsets#DROPPED}. */
  public long offset(InternalRow next) {
    row++;
    for (int d = 0; d < tuple.length; d++) {
      if (next.isNullAt(ordinals[d])) {
        refuse(ClusterErrors.nullIndex(names.row(partition, row), names.columns().get(d)));
        return SliceOffsets.DROPPED;
      }
      tuple[d] = InternalRows.integer(next, ordinals[d], types[d]);
    }
    long offset = tuples.offset(tuple, 0);
    if (offset == TupleOffset.REFUSED) {
      refuse(tuples.refusal(names.row(partition, row), tuple));
      return SliceOffsets.DROPPED;
    }
    return offset;
  }

  /** Returns whether any row so far was refused. */
  public boolean refused() {
    return refused;
  }

  /**
   * Writes the offsets of the next {@code count} rows to {@code offsets}.
   *
   * @param columns their index columns, without nulls
   * @return false if a row is refused; the caller then reads the same rows one by one
   */
  boolean offsets(long[][] columns, int count, long[] offsets) {
    for (int i = 0; i < count; i++) {
      for (int d = 0; d < tuple.length; d++) {
        tuple[d] = columns[d][i];
      }
      offsets[i] = tuples.offset(tuple, 0);
      if (offsets[i] == TupleOffset.REFUSED) {
        return false;
      }
    }
    row += count;
    return true;
  }

  /** Reports that the value of the row just read cannot be used. */
  void refuseValue(String problem) {
    refuse(ClusterErrors.badValue(names.row(partition, row), Arrays.toString(tuple), problem));
  }

  /** Reports the first unusable row only, since rows come in ascending order. */
  private void refuse(SparkNdException error) {
    if (!refused && refusals != null) {
      refusals.add(new RowErrors.Refusal(partition, row, error));
    }
    refused = true;
  }
}
