/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster;

import io.sparknd.cluster.spark.ColumnarRows;
import io.sparknd.cluster.spark.InternalRows;
import io.sparknd.cluster.spark.SliceColumns;
import io.sparknd.cluster.spark.SliceReader;
import io.sparknd.op.IndexPlan;
import io.sparknd.op.IndexPolicy;
import io.sparknd.op.TupleOffset;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.NdErrors;
import io.sparknd.tensor.Storage;
import java.io.Serializable;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.DataType;

/**
 * Updates in the rows of a Dataset, decoded on executors.
 *
 * @param types of the index columns
 * @param levels how deep the value column nests arrays
 * @param refusals told of rows that cannot be used
 */
record RowUpdates(
    DType dtype,
    IndexPlan plan,
    TupleOffset tuples,
    List<DataType> types,
    int levels,
    Refusals refusals)
    implements Serializable {

  static JavaRDD<UpdateChunk> of(
      DType dtype,
      IndexPlan plan,
      IndexPolicy policy,
      Dataset<Row> rows,
      TensorColumns columns,
      Refusals refusals) {
    Dataset<Row> selected = RowColumns.updates(rows, columns, dtype, plan.slice());
    if (plan.slice().elements() > Storage.MAX_LENGTH / dtype.units()) {
      throw NdErrors.sliceTooLargeForRow(plan.slice(), dtype);
    }
    List<DataType> types =
        IntStream.rangeClosed(0, plan.depth())
            .mapToObj(i -> selected.schema().apply(i).dataType())
            .toList();
    return new RowUpdates(
            dtype,
            plan,
            new TupleOffset(plan, policy),
            List.copyOf(types.subList(0, plan.depth())),
            RowColumns.levels(types.get(plan.depth()), plan.slice()),
            refusals)
        .in(selected);
  }

  /** The updates in rows of index columns and then the value column. */
  private JavaRDD<UpdateChunk> in(Dataset<Row> selected) {
    Optional<ColumnarRows> columnar = ColumnarRows.of(selected);
    if (columnar.isPresent()) {
      List<Integer> ordinals = columnar.get().ordinals();
      SliceColumns slices = new SliceColumns(dtype, plan.slice(), levels);
      return columnar
          .get()
          .batches()
          .mapPartitionsWithIndex(
              (partition, batches) ->
                  new BatchChunks(decoder(partition, ordinals), slices, ordinals, batches),
              false);
    }
    List<Integer> ordinals = IntStream.rangeClosed(0, plan.depth()).boxed().toList();
    return InternalRows.of(selected)
        .mapPartitionsWithIndex(
            (partition, rows) -> new RowChunks(decoder(partition, ordinals), rows), false);
  }

  private RowDecoder decoder(int partition, List<Integer> ordinals) {
    int depth = plan.depth();
    return new RowDecoder(
        new RowIndices(
            ordinals.stream().limit(depth).mapToInt(Integer::intValue).toArray(),
            types.toArray(DataType[]::new),
            partition,
            tuples,
            refusals),
        ordinals.get(depth),
        new SliceReader(dtype, plan.slice(), levels),
        dtype.storage(),
        (int) plan.slice().elements() * dtype.units());
  }
}
