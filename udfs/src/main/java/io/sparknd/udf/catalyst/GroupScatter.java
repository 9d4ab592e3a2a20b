/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.udf.catalyst;

import io.sparknd.kernel.KernelProviders;
import io.sparknd.kernel.Kernels;
import io.sparknd.op.IncludeSelf;
import io.sparknd.op.IndexPolicy;
import io.sparknd.op.Indexing;
import io.sparknd.op.Reduction;
import io.sparknd.op.Scatter;
import io.sparknd.op.ScatterCall;
import io.sparknd.op.SliceOffsets;
import io.sparknd.op.TupleOffset;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.Tensor;
import io.sparknd.udf.UdfErrors;
import java.io.Serializable;
import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;

/**
 * Scatters the rows of a group into zeros. The first update of an element replaces its zero, so
 * that min, mul and mean depend on the rows alone. The result has the same bits for any
 * partitioning: if it depends on the order of updates, they are sorted first.
 *
 * @param shape of the tensor
 * @param depth values in an index
 * @param ordered whether rows specify their order
 */
record GroupScatter(
    DType dtype, Shape shape, int depth, Reduction reduction, IndexPolicy policy, boolean ordered)
    implements Serializable {

  /** Returns the resolver of indices to offsets, for {@link #add}. */
  TupleOffset tuples() {
    return new TupleOffset(Indexing.tuples().plan(shape, Shape.of(depth)), policy);
  }

  private int units() {
    return (int) shape.from(depth).elements();
  }

  GroupUpdates empty() {
    return new GroupUpdates(dtype, units());
  }

  GroupUpdates read(byte[] bytes) {
    return GroupUpdates.of(dtype, units(), bytes);
  }

  /**
   * Adds a row to {@code updates}.
   *
   * @param tuples from {@link #tuples}
   * @throws io.sparknd.tensor.SparkNdException if index and value do not match the shape
   */
  void add(GroupUpdates updates, TupleOffset tuples, long[] index, Tensor value, long order) {
    if (index.length != depth) {
      throw UdfErrors.aggregateIndexLength(Arrays.toString(index), index.length, depth);
    }
    Shape needed = shape.from(depth);
    boolean fits = value.elements() == 0 ? needed.elements() == 0 : value.shape().equals(needed);
    if (!fits) {
      throw UdfErrors.valueShape(value.shape(), Arrays.toString(index), shape, needed);
    }
    long offset = tuples.offset(index, 0);
    if (offset == TupleOffset.INVALID) {
      throw tuples.error("index", index);
    }
    if (offset != SliceOffsets.DROPPED) {
      updates.add(offset, order, value.array());
      combine(updates);
    }
  }

  /** Appends {@code more} to {@code updates}. */
  void merge(GroupUpdates updates, GroupUpdates more) {
    updates.addAll(more);
    combine(updates);
  }

  private void combine(GroupUpdates updates) {
    if (updates.shouldCombine() && !ordered && !isOrderSensitive()) {
      updates.combine(KernelProviders.automatic().scatter(dtype, reduction));
    }
  }

  /** Whether the bits of a fold depend on the order of its updates. */
  private boolean isOrderSensitive() {
    return switch (reduction) {
      case MIN, MAX, FMIN, FMAX -> false;
      case ADD, MUL -> dtype.kind() == DType.Kind.FLOAT || dtype == DType.STRING;
      default -> true;
    };
  }

  /** Whether the result is ambiguous if two unordered rows update one slice. */
  private boolean requiresOrder() {
    return reduction == Reduction.NONE || dtype == DType.STRING && isOrderSensitive();
  }

  /**
   * Returns the tensor of a group.
   *
   * @throws io.sparknd.tensor.SparkNdException if it depends on an order that the rows do not
   *     specify
   */
  Tensor result(GroupUpdates updates) {
    int[] sorted = sorted(updates);
    long[] offsets = Arrays.stream(sorted).mapToLong(updates::offset).toArray();
    if (!ordered && requiresOrder()) {
      rejectDuplicates(offsets);
    }
    Shape slice = shape.from(depth);
    Shape slices = Shape.of(shape.first(depth).elements());
    Tensor target = Tensor.zeros(dtype, slices.concat(slice));
    Tensor indices = Tensor.wrap(DType.INT64, Shape.of(offsets.length, 1), offsets);
    Shape rows = Shape.of(offsets.length).concat(slice);
    Tensor values = Tensor.wrap(dtype, rows, gathered(updates, sorted));
    Scatter how = Scatter.of(reduction).withSelf(IncludeSelf.EXCLUDED);
    Kernels.auto().scatterInPlace(target, ScatterCall.of(how, indices, values));
    return target.reshape(shape);
  }

  private int[] sorted(GroupUpdates updates) {
    if (!ordered && !isOrderSensitive()) {
      return IntStream.range(0, updates.count()).toArray();
    }
    Comparator<Integer> byOrder = Comparator.comparingLong(updates::order);
    return IntStream.range(0, updates.count())
        .boxed()
        .sorted(byOrder.thenComparing(updates::compareValues))
        .mapToInt(Integer::intValue)
        .toArray();
  }

  private Object gathered(GroupUpdates updates, int[] rows) {
    int units = units();
    Object values = dtype.storage().allocate(rows.length * units);
    for (int i = 0; i < rows.length; i++) {
      System.arraycopy(updates.values(), rows[i] * units, values, i * units, units);
    }
    return values;
  }

  private void rejectDuplicates(long[] offsets) {
    long[] ascending = offsets.clone();
    Arrays.sort(ascending);
    for (int i = 1; i < ascending.length; i++) {
      if (ascending[i] == ascending[i - 1]) {
        String tuple = Arrays.toString(shape.first(depth).coordinates(ascending[i]));
        throw UdfErrors.duplicateRows(tuple, reduction.toString());
      }
    }
  }
}
