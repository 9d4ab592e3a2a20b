/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.rows;

import io.sparknd.cluster.internal.ClusterErrors;
import io.sparknd.cluster.internal.columnar.InternalRows;
import io.sparknd.cluster.internal.columnar.SliceColumns;
import io.sparknd.cluster.internal.columnar.SliceReader;
import io.sparknd.cluster.internal.scan.ColumnarRows;
import io.sparknd.cluster.internal.spark.PartitionTasks;
import io.sparknd.cluster.options.TensorColumns;
import io.sparknd.op.IndexPlan;
import io.sparknd.op.IndexPolicy;
import io.sparknd.op.TupleOffset;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.Storage;
import java.io.Serializable;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.function.FlatMapFunction;
import org.apache.spark.api.java.function.FlatMapFunction2;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.sources.Filter;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.jspecify.annotations.Nullable;

/**
 * Decodes updates in the rows of a Dataset on executors.
 *
 * @param types types of the index columns
 * @param names names for messages
 * @param rowErrors receives unusable rows; may be null
 */
public record RowUpdates(
    TupleOffset tuples, List<DataType> types, RowNames names, @Nullable RowErrorSink rowErrors)
    implements Serializable {

  public static JavaRDD<NumberedRows> of(
      DType dtype,
      IndexPlan plan,
      IndexPolicy policy,
      Dataset<Row> rows,
      TensorColumns columns,
      @Nullable RowErrorSink rowErrors) {
    return of(dtype, plan, policy, rows, columns, rowErrors, null);
  }

  /**
   * Returns the updates of some slices, numbered by their places in {@code slices}. Rows of other
   * slices may still be reported as unusable.
   *
   * @param rowErrors may be null
   * @param slices null for all, which keep their own numbers
   */
  public static JavaRDD<NumberedRows> of(
      DType dtype,
      IndexPlan plan,
      IndexPolicy policy,
      Dataset<Row> rows,
      TensorColumns columns,
      @Nullable RowErrorSink rowErrors,
      @Nullable SliceSet slices) {
    Dataset<Row> selected = RowColumns.updates(rows, columns, dtype, plan.slice());
    if (plan.slice().elements() > Storage.MAX_LENGTH / dtype.units()) {
      throw ClusterErrors.sliceTooLargeForRow(plan.slice(), dtype);
    }
    DataType valueType = selected.schema().apply(plan.depth()).dataType();
    int levels = RowColumns.levels(valueType);
    SliceReader rowReader = new SliceReader(dtype, plan.slice(), levels);
    SliceColumns batchReader = new SliceColumns(dtype, plan.slice(), levels);
    int units = (int) plan.slice().elements() * dtype.units();
    RowUpdates read = read(plan, policy, selected, rowErrors);
    JavaRDD<NumberedRows> all =
        read.in(
            selected,
            ColumnarRows.of(
                selected,
                batchReader,
                SliceValue.capacity(dtype.storage(), units),
                scan -> slices == null ? Optional.empty() : read.filter(slices, plan, scan)),
            ordinals ->
                new SliceValue(
                    ordinals.get(plan.depth()), rowReader, batchReader, dtype.storage(), units));
    return slices == null ? all : selected(all, slices, dtype.storage(), units);
  }

  private static JavaRDD<NumberedRows> selected(
      JavaRDD<NumberedRows> all, SliceSet slices, Storage storage, int units) {
    return PartitionTasks.of(all, new Selection(slices, storage, units));
  }

  /**
   * Returns a filter of the rows of {@code slices}.
   *
   * @param scan names of the columns of the scan, index columns first
   */
  private Optional<Filter> filter(SliceSet slices, IndexPlan plan, List<String> scan) {
    Shape outer = plan.tensor().first(plan.depth());
    return new SliceSetFilter(slices, outer, types).on(scan.subList(0, plan.depth()));
  }

  /**
   * Returns the offsets alone, without payload, in the rows' partitions; rows with errors are
   * dropped.
   *
   * @param rowErrors may be null
   */
  public static JavaRDD<NumberedRows> offsets(
      IndexPlan plan,
      IndexPolicy policy,
      Dataset<Row> rows,
      TensorColumns columns,
      @Nullable RowErrorSink rowErrors) {
    Dataset<Row> selected = RowColumns.indices(rows, columns);
    return read(plan, policy, selected, rowErrors)
        .in(selected, ColumnarRows.of(selected), ordinals -> new OffsetsOnly());
  }

  private static RowUpdates read(
      IndexPlan plan, IndexPolicy policy, Dataset<Row> selected, @Nullable RowErrorSink rowErrors) {
    List<DataType> types =
        IntStream.range(0, plan.depth())
            .mapToObj(i -> selected.schema().apply(i).dataType())
            .toList();
    RowNames names =
        RowNames.of(selected.schema(), IntStream.range(0, plan.depth()).boxed().toList());
    return new RowUpdates(new TupleOffset(plan, policy), types, names, rowErrors);
  }

  /** Creates the reader of the value, given the positions of the columns. */
  private interface ValueAt {
    RowValue of(List<Integer> ordinals);
  }

  /** Decodes updates in rows whose first columns are the index columns. */
  private JavaRDD<NumberedRows> in(
      Dataset<Row> selected, Optional<ColumnarRows> columnar, ValueAt at) {
    if (columnar.isPresent()) {
      List<Integer> ordinals = columnar.get().ordinals();
      RowValue value = at.of(ordinals);
      int[] indices = indices(ordinals);
      return PartitionTasks.numbered(columnar.get().batches(), new OfBatches(this, indices, value));
    }
    List<Integer> ordinals = IntStream.rangeClosed(0, types.size()).boxed().toList();
    RowValue value = at.of(ordinals);
    int[] indices = indices(ordinals);
    return PartitionTasks.numbered(InternalRows.of(selected), new OfRows(this, indices, value));
  }

  private int[] indices(List<Integer> ordinals) {
    return ordinals.stream().limit(types.size()).mapToInt(Integer::intValue).toArray();
  }

  private RowDecoder decoder(int partition, int[] ordinals, RowValue value) {
    DataType[] columnTypes = types.toArray(DataType[]::new);
    return new RowDecoder(
        new RowIndices(ordinals, columnTypes, names, partition, tuples, rowErrors), value);
  }

  /** The task that selects the rows of slices. */
  private record Selection(SliceSet slices, Storage storage, int units)
      implements FlatMapFunction<Iterator<NumberedRows>, NumberedRows> {
    @Override
    public Iterator<NumberedRows> call(Iterator<NumberedRows> chunks) {
      return new SelectedRows(chunks, slices, storage, units);
    }
  }

  /**
   * The task that decodes batches.
   *
   * @param indices positions of the index columns
   */
  private record OfBatches(RowUpdates updates, int[] indices, RowValue value)
      implements FlatMapFunction2<Integer, Iterator<ColumnarBatch>, NumberedRows> {
    @Override
    public Iterator<NumberedRows> call(Integer partition, Iterator<ColumnarBatch> batches) {
      return new BatchChunks(updates.decoder(partition, indices, value), indices, batches);
    }
  }

  /**
   * The task that decodes rows.
   *
   * @param indices positions of the index columns
   */
  private record OfRows(RowUpdates updates, int[] indices, RowValue value)
      implements FlatMapFunction2<Integer, Iterator<InternalRow>, NumberedRows> {
    @Override
    public Iterator<NumberedRows> call(Integer partition, Iterator<InternalRow> rows) {
      return new RowChunks(updates.decoder(partition, indices, value), rows);
    }
  }
}
