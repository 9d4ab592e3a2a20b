/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster;

import io.sparknd.cluster.spark.InternalRows;
import io.sparknd.cluster.spark.SliceReader;
import io.sparknd.op.IndexPlan;
import io.sparknd.op.IndexPolicy;
import io.sparknd.op.Offsets;
import io.sparknd.op.TupleOffset;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.NdErrors;
import io.sparknd.tensor.Storage;
import java.util.Iterator;
import java.util.NoSuchElementException;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.DataType;

/** Updates in the rows of a Dataset, decoded on executors. */
final class RowUpdates implements Iterator<UpdateChunk> {
  private static final int CHUNK_BYTES = 1 << 20;
  private static final int CHUNK_ROWS = 4096;

  private final RowIndices indices;
  private final Iterator<InternalRow> rows;
  private final int valueOrdinal;
  private final SliceReader reader;
  private final Storage storage;
  private final int units;
  private final int capacity;

  private RowUpdates(
      RowIndices indices,
      Iterator<InternalRow> rows,
      int valueOrdinal,
      SliceReader reader,
      Storage storage,
      int units) {
    this.indices = indices;
    this.rows = rows;
    this.valueOrdinal = valueOrdinal;
    this.reader = reader;
    this.storage = storage;
    this.units = units;
    int unitBytes = BlockLayout.unitBytes(storage);
    this.capacity = Math.max(1, Math.min(CHUNK_ROWS, CHUNK_BYTES / Math.max(1, units * unitBytes)));
  }

  static JavaRDD<UpdateChunk> of(
      DType dtype,
      IndexPlan plan,
      IndexPolicy policy,
      Dataset<Row> rows,
      TensorColumns columns,
      Refusals refusals) {
    Dataset<Row> selected = RowColumns.updates(rows, columns, dtype, plan.slice());
    int depth = plan.depth();
    DataType valueType = selected.schema().apply(depth).dataType();
    SliceReader reader = RowColumns.reader(valueType, dtype, plan.slice());
    TupleOffset tuples = new TupleOffset(plan, policy);
    if (plan.slice().elements() > Storage.MAX_LENGTH / dtype.units()) {
      throw NdErrors.sliceTooLargeForRow(plan.slice(), dtype);
    }
    int units = (int) plan.slice().elements() * dtype.units();
    return InternalRows.of(selected)
        .mapPartitionsWithIndex(
            (partition, it) ->
                new RowUpdates(
                    RowIndices.leading(depth, partition, tuples, refusals),
                    it,
                    depth,
                    reader,
                    dtype.storage(),
                    units),
            false);
  }

  @Override
  public boolean hasNext() {
    return rows.hasNext();
  }

  @Override
  public UpdateChunk next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    long[] offsets = new long[capacity];
    Object payload = storage.allocate(capacity * units);
    int count = 0;
    while (count < capacity && rows.hasNext()) {
      InternalRow row = rows.next();
      offsets[count] = indices.offset(row);
      String problem = reader.read(row, valueOrdinal, payload, count * units);
      if (problem != null) {
        indices.refuseValue(problem);
        offsets[count] = Offsets.DROPPED;
      }
      count++;
    }
    return new UpdateChunk(offsets, count, payload);
  }
}
