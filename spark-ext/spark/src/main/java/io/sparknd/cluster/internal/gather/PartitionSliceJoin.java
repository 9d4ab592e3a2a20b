/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.gather;

import io.sparknd.cluster.internal.ClusterErrors;
import io.sparknd.cluster.internal.columnar.SliceAppender;
import io.sparknd.cluster.internal.partition.SliceLookup;
import io.sparknd.cluster.internal.shuffle.ShuffleBatch;
import io.sparknd.op.TupleOffset;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Objects;
import org.apache.spark.sql.catalyst.InternalRow;
import org.jspecify.annotations.Nullable;

/** Joins index rows, in batches of raw bytes, with slices from the blocks of one partition. */
final class PartitionSliceJoin implements Iterator<InternalRow> {
  private final Iterator<ShuffleBatch> batches;
  private final SliceLookup slices;
  private final SliceAppender appender;
  private final Object fill;
  private @Nullable ShuffleBatch batch;
  private int at;

  /**
   * @param batches emitted by {@link IndexRowBinner}
   * @param fill a slice for rows without one
   */
  PartitionSliceJoin(
      Iterator<ShuffleBatch> batches, SliceLookup slices, SliceAppender appender, Object fill) {
    this.batches = batches;
    this.slices = slices;
    this.appender = appender;
    this.fill = fill;
  }

  @Override
  public boolean hasNext() {
    while ((batch == null || at == batch.count()) && batches.hasNext()) {
      batch = batches.next();
      at = 0;
    }
    return batch != null && at < batch.count();
  }

  @Override
  public InternalRow next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    ShuffleBatch open = Objects.requireNonNull(batch);
    int[] starts = Objects.requireNonNull(open.rows());
    long slice = open.locals()[at];
    int from = starts[at++];
    int to = at == open.count() ? open.payloadUnits() : starts[at];
    byte[] rows = (byte[]) open.payload();
    if (slice == TupleOffset.INVALID) {
      throw ClusterErrors.indexRowsChanged();
    }
    return slice < 0 || slices.areEmpty()
        ? appender.append(rows, from, to, fill, 0)
        : appender.append(rows, from, to, slices.array(slice), slices.unit(slice));
  }
}
