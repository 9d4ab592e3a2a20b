/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.tables;

import io.sparknd.cluster.internal.partition.BlockLayout;
import io.sparknd.cluster.internal.partition.ConstantArrays;
import io.sparknd.cluster.internal.rows.NumberedRows;
import io.sparknd.cluster.internal.rows.RowErrors;
import io.sparknd.cluster.internal.rows.RowUpdates;
import io.sparknd.cluster.internal.rows.SliceSet;
import io.sparknd.cluster.internal.spark.PartitionTasks;
import io.sparknd.cluster.internal.spark.TaskErrors;
import io.sparknd.op.IndexPlan;
import io.sparknd.op.IndexPolicy;
import io.sparknd.op.Indexing;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.Storage;
import io.sparknd.tensor.Tensor;
import java.util.BitSet;
import java.util.Iterator;
import java.util.List;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.function.FlatMapFunction;
import org.jspecify.annotations.Nullable;

/** Reads a few slices of a table's tensor to the driver. */
final class FewSlices {
  /** The most bytes of slices that are few. */
  private static final long MAX_BYTES = 1 << 20;

  /** A text may be long, and nobody knows before it is read. */
  private static final int TEXT_BYTES = 1 << 10;

  private final TableTensor table;
  private final SliceSet slices;
  private final IndexPlan plan;
  private final int units;
  private final RowErrors rowErrors;
  private final JavaRDD<NumberedRows> rows;

  private FewSlices(TableTensor table, SliceSet slices) {
    this.table = table;
    this.slices = slices;
    int depth = table.columns().indices().size();
    this.plan = Indexing.tuples().plan(table.shape(), Shape.of(0, depth));
    this.units = (int) plan.slice().elements() * table.dtype().units();
    this.rowErrors =
        RowErrors.registered(table.rows().sparkSession(), table.shape().first(depth), slices)
            .worded(TensorRowErrors.of(table.rows().schema()));
    this.rows = rows();
  }

  /**
   * Returns whether a table's slices are of one size, and {@code slices} small enough for the
   * driver.
   *
   * @param shape of the tensor
   * @param depth number of index columns
   */
  static boolean fit(SliceSet slices, DType dtype, Shape shape, int depth) {
    long slice = shape.from(depth).elements();
    return depth > 0
        && shape.elements() > 0
        && slice <= MAX_BYTES
        && slices.count() * slice * mostBytes(dtype) <= MAX_BYTES;
  }

  /** Returns the bytes that an element is taken for. */
  private static int mostBytes(DType dtype) {
    return dtype == DType.STRING ? TEXT_BYTES : BlockLayout.elementBytes(dtype);
  }

  /**
   * Reads slices, in the order of their places. Rows with a bad index are errors, whichever slice
   * they belong to: it throws a SparkNdException for the first row with an error, else for the
   * first slice that several rows have.
   */
  static Tensor of(TableTensor table, SliceSet slices) {
    return slices.count() == 0
        ? filled(
            table.dtype(),
            table.shape().from(table.columns().indices().size()),
            table.fill(),
            slices)
        : new FewSlices(table, slices).read();
  }

  /**
   * Returns slices of one value.
   *
   * @param value null for zero, false or ""
   */
  static Tensor filled(DType dtype, Shape slice, @Nullable Object value, SliceSet slices) {
    Object values = ConstantArrays.array(dtype, value, slices.count() * (int) slice.elements());
    return Tensor.wrap(dtype, Shape.of(slices.count()).concat(slice), values);
  }

  private JavaRDD<NumberedRows> rows() {
    JavaRDD<NumberedRows> all =
        RowUpdates.of(
            table.dtype(),
            plan,
            IndexPolicy.STRICT,
            table.rows(),
            table.columns(),
            rowErrors,
            slices);
    return PartitionTasks.of(all, new ReadTask(slices.count(), table.dtype().storage(), units));
  }

  /** The task that reads the first rows of slices; see {@link FirstRows}. */
  private record ReadTask(int slices, Storage storage, int units)
      implements FlatMapFunction<Iterator<NumberedRows>, NumberedRows> {
    @Override
    public Iterator<NumberedRows> call(Iterator<NumberedRows> chunks) {
      return new FirstRows(chunks, slices, storage, units);
    }
  }

  private Tensor read() {
    List<NumberedRows> parts;
    try {
      parts = PartitionTasks.collected(rows);
    } catch (Exception e) {
      throw TaskErrors.unwrapped(e);
    }
    rowErrors.throwFirst();
    Tensor few = filled(table.dtype(), plan.slice(), table.fill(), slices);
    BitSet found = new BitSet();
    parts.forEach(part -> put(part, few.array(), found));
    rowErrors.throwFirst();
    return few;
  }

  private void put(NumberedRows part, Object values, BitSet found) {
    for (int i = 0; i < part.count(); i++) {
      int place = (int) part.numbers()[i];
      if (found.get(place)) {
        rowErrors.duplicate(place);
      }
      found.set(place);
      System.arraycopy(part.payload(), i * units, values, place * units, units);
    }
  }
}
