/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.tables;

import io.sparknd.cluster.internal.partition.BlockLayout;
import io.sparknd.cluster.internal.partition.ConstantArrays;
import io.sparknd.cluster.internal.rows.NumberedRows;
import io.sparknd.cluster.internal.rows.RowErrors;
import io.sparknd.cluster.internal.rows.RowUpdates;
import io.sparknd.cluster.internal.rows.SliceSet;
import io.sparknd.cluster.internal.spark.TaskErrors;
import io.sparknd.op.IndexPlan;
import io.sparknd.op.IndexPolicy;
import io.sparknd.op.Indexing;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.Storage;
import io.sparknd.tensor.Tensor;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads a few slices of a table's tensor to the driver. */
final class FewSlices {
  /** The most bytes of slices that are few. */
  private static final long MAX_BYTES = 1 << 20;

  private FewSlices() {}

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
        && slices.count() * slice * BlockLayout.elementBytes(dtype) <= MAX_BYTES;
  }

  /**
   * Returns the slices, in the order of their places. Rows with a bad index are errors, whichever
   * slice they belong to.
   *
   * @throws io.sparknd.tensor.SparkNdException for the first row with an error, else for the first
   *     slice that several rows have
   */
  static Tensor of(TableTensor table, SliceSet slices) {
    return TensorRowErrors.during(table.rows().schema(), () -> read(table, slices));
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

  private static Tensor read(TableTensor table, SliceSet slices) {
    int depth = table.columns().indices().size();
    IndexPlan plan = Indexing.tuples().plan(table.shape(), Shape.of(0, depth));
    Tensor few = filled(table.dtype(), plan.slice(), table.fill(), slices);
    if (slices.count() == 0) {
      return few;
    }
    RowErrors rowErrors =
        RowErrors.registered(table.rows().sparkSession(), table.shape().first(depth), slices);
    int units = (int) plan.slice().elements() * table.dtype().units();
    List<NumberedRows> parts = parts(table, slices, plan, units, rowErrors);
    rowErrors.throwFirst();
    BitSet found = new BitSet();
    parts.forEach(part -> put(part, few.array(), units, found, rowErrors));
    rowErrors.throwFirst();
    return few;
  }

  private static List<NumberedRows> parts(
      TableTensor table, SliceSet slices, IndexPlan plan, int units, RowErrors rowErrors) {
    Storage storage = table.dtype().storage();
    try {
      return RowUpdates.of(
              table.dtype(),
              plan,
              IndexPolicy.STRICT,
              table.rows(),
              table.columns(),
              rowErrors,
              slices)
          .mapPartitions(chunks -> new FirstRows(chunks, slices.count(), storage, units))
          .collect();
    } catch (Exception e) {
      throw TaskErrors.unwrapped(e);
    }
  }

  private static void put(
      NumberedRows part, Object slices, int units, BitSet found, RowErrors rowErrors) {
    for (int i = 0; i < part.count(); i++) {
      int place = (int) part.numbers()[i];
      if (found.get(place)) {
        rowErrors.duplicate(place);
      }
      found.set(place);
      System.arraycopy(part.payload(), i * units, slices, place * units, units);
    }
  }
}
