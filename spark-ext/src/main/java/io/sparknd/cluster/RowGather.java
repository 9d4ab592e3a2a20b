/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster;

import io.sparknd.cluster.BlockLayout.Pieces;
import io.sparknd.cluster.spark.InternalRows;
import io.sparknd.cluster.spark.SliceWriter;
import io.sparknd.op.BadIndices;
import io.sparknd.op.Gather;
import io.sparknd.op.IndexPlan;
import io.sparknd.op.Indexing;
import io.sparknd.op.TupleOffset;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.NdErrors;
import io.sparknd.tensor.Shape;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StructType;
import scala.Tuple2;

/**
 * A gather whose indices are columns of a Dataset. Answers come back to the partition that asked,
 * window by window, and join the rows there.
 */
final class RowGather {
  /** The column that a gather adds. */
  static final String VALUE = "value";

  /** Slots that a partition can ask for. */
  private static final long MOST_ROWS = 1L << 32;

  private static final int WINDOW_BYTES = 4 << 20;
  private static final int MOST_WINDOW_ROWS = 8192;

  private RowGather() {}

  static Dataset<Row> run(
      DistributedTensor tensor, Gather how, Dataset<Row> rows, List<String> indexColumns) {
    int depth = indexColumns.size();
    IndexPlan plan = Indexing.tuples().plan(tensor.shape(), Shape.of(0, depth));
    int[] ordinals =
        indexColumns.stream().mapToInt(name -> RowColumns.indexOrdinal(rows, name)).toArray();
    if (List.of(rows.columns()).contains(VALUE)) {
      throw NdErrors.columnTaken(VALUE);
    }
    DataType[] types = new DataType[depth];
    for (int d = 0; d < depth; d++) {
      types[d] = rows.schema().apply(ordinals[d]).dataType();
    }
    JavaRDD<InternalRow> kept = kept(rows);
    TupleOffset tuples = new TupleOffset(plan, how.indices());
    check(tensor, kept, ordinals, types, tuples);
    JavaRDD<UpdateChunk> slots =
        kept.mapPartitionsWithIndex(
            (partition, it) ->
                new Slots(new RowIndices(ordinals, types, partition, tuples, null), it),
            false);
    return joined(tensor, how, plan, rows.schema(), kept, slots);
  }

  /**
   * The rows are read twice, to ask and to join, and must be the same both times; a shuffle before
   * them would not promise that.
   */
  private static JavaRDD<InternalRow> kept(Dataset<Row> rows) {
    JavaRDD<InternalRow> kept = InternalRows.of(rows).map(InternalRow::copy);
    Lineage.cut(kept);
    return kept;
  }

  private static void check(
      DistributedTensor tensor,
      JavaRDD<InternalRow> rows,
      int[] ordinals,
      DataType[] types,
      TupleOffset tuples) {
    Refusals refusals = Refusals.registered(tensor.spark(), tensor.shape().first(ordinals.length));
    rows.mapPartitionsWithIndex(
            (partition, it) -> {
              RowIndices indices = new RowIndices(ordinals, types, partition, tuples, refusals);
              it.forEachRemaining(indices::offset);
              return java.util.Collections.emptyIterator();
            },
            false)
        .count();
    refusals
        .value()
        .ifPresent(
            error -> {
              rows.unpersist(false);
              throw error;
            });
  }

  private static Dataset<Row> joined(
      DistributedTensor tensor,
      Gather how,
      IndexPlan plan,
      StructType schema,
      JavaRDD<InternalRow> rows,
      JavaRDD<UpdateChunk> slots) {
    DType dtype = tensor.dtype();
    StructType extended = schema.add(VALUE, SqlTypes.slice(dtype, plan.slice().rank()), false);
    if (rows.getNumPartitions() == 0) {
      return InternalRows.toDataset(tensor.spark(), rows, extended);
    }
    Pieces source = tensor.layout().pieces(plan.slice().elements());
    Pieces result =
        new Pieces(
            new InTurn(rows.getNumPartitions(), source.perSlice() * MOST_ROWS),
            source.perSlice(),
            source.units());
    int windowRows = windowRows(dtype, plan.slice());
    TensorGather gather =
        new TensorGather(
            dtype,
            source,
            result,
            source.perSlice() * windowRows,
            Exchange.Order.AS_SENT,
            tensor.kernel());
    JavaRDD<Tuple2<BatchKey, UpdateBatch>> answers =
        gather.answers(tensor.rdd(), slots, partition -> partition * MOST_ROWS);
    Object fill = how.indices().bad() instanceof BadIndices.Fill policy ? policy.value() : null;
    Fills.array(dtype, fill, 1);
    SliceWriter writer = new SliceWriter(dtype, plan.slice());
    int sliceElements = Math.toIntExact(plan.slice().elements());
    JavaRDD<InternalRow> joined =
        rows.zipPartitions(
            answers,
            (left, right) ->
                new Join(
                    left,
                    right,
                    writer,
                    Fills.array(dtype, fill, windowRows * sliceElements),
                    source,
                    windowRows));
    return InternalRows.toDataset(tensor.spark(), joined, extended);
  }

  private static int windowRows(DType dtype, Shape slice) {
    long bytes = Math.max(1, slice.elements() * BlockLayout.elementBytes(dtype));
    return (int) Math.max(1, Math.min(MOST_WINDOW_ROWS, WINDOW_BYTES / bytes));
  }

  /** Rows as slots: offsets without payload. */
  private static final class Slots implements Iterator<UpdateChunk> {
    private static final int CHUNK = 4096;

    private final RowIndices indices;
    private final Iterator<InternalRow> rows;

    Slots(RowIndices indices, Iterator<InternalRow> rows) {
      this.indices = indices;
      this.rows = rows;
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
      long[] offsets = new long[CHUNK];
      int count = 0;
      while (count < CHUNK && rows.hasNext()) {
        offsets[count++] = indices.offset(rows.next());
      }
      return new UpdateChunk(offsets, count, null);
    }
  }

  /** Rows with the slices that answer them. */
  private static final class Join implements Iterator<InternalRow> {
    private final Iterator<InternalRow> rows;
    private final Iterator<Tuple2<BatchKey, UpdateBatch>> answers;
    private final SliceWriter writer;
    private final Object fill;
    private final Pieces pieces;
    private final int windowRows;
    private final Object window;
    private UpdateBatch answer;
    private long row;

    Join(
        Iterator<InternalRow> rows,
        Iterator<Tuple2<BatchKey, UpdateBatch>> answers,
        SliceWriter writer,
        Object fill,
        Pieces pieces,
        int windowRows) {
      this.rows = rows;
      this.answers = answers;
      this.writer = writer;
      this.fill = fill;
      this.pieces = pieces;
      this.windowRows = windowRows;
      int units = java.lang.reflect.Array.getLength(fill);
      this.window = java.lang.reflect.Array.newInstance(fill.getClass().componentType(), units);
    }

    @Override
    public boolean hasNext() {
      return rows.hasNext();
    }

    @Override
    public InternalRow next() {
      if (!hasNext()) {
        throw new NoSuchElementException();
      }
      if (row % windowRows == 0) {
        fillWindow();
      }
      int unit = (int) (row % windowRows * pieces.perSlice()) * pieces.units();
      row++;
      return InternalRows.append(rows.next(), writer.value(window, unit));
    }

    private void fillWindow() {
      System.arraycopy(fill, 0, window, 0, java.lang.reflect.Array.getLength(fill));
      long first = row * pieces.perSlice();
      long end = first + windowRows * pieces.perSlice();
      while (nextAnswer() && answer.offsets()[0] < end) {
        for (int i = 0; i < answer.count(); i++) {
          int from = answer.rows()[i] * pieces.units();
          int to = (int) (answer.offsets()[i] - first) * pieces.units();
          System.arraycopy(answer.payload(), from, window, to, pieces.units());
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
  }
}
