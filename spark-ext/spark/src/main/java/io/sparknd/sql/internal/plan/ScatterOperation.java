/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.sql.internal.plan;

import io.sparknd.cluster.internal.rows.SliceSet;
import io.sparknd.cluster.internal.shuffle.BatchShuffle;
import io.sparknd.cluster.internal.tables.SliceRange;
import io.sparknd.op.Duplicates;
import io.sparknd.op.Scatter;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import java.util.List;
import java.util.Optional;

/**
 * An operation that returns the slices of a tensor after the updates of its last table. Its schema
 * is the index columns, outermost dimension first, followed by one column of slices.
 */
sealed interface ScatterOperation extends TensorOperation permits ScatterRows, RelationScatterRows {
  DType dtype();

  /** Returns the shape of the tensor. */
  Shape shape();

  Scatter how();

  /** Returns the columns of the updates' table. */
  SliceOrdinals updates();

  /** Returns the slices that are returned; others are not computed. */
  SliceRange range();

  /** Returns the slices that are returned, if they are few; they are in {@link #range}. */
  Optional<SliceSet> few();

  /**
   * Returns the operation that returns only slices in {@code range}.
   *
   * @param few these slices, if they are few; the operation may return others of the range
   */
  ScatterOperation within(SliceRange range, Optional<SliceSet> few);

  @Override
  default boolean readsIndices() {
    return few().isEmpty();
  }

  /** Returns the number of index columns of the result. */
  default int depth() {
    return schema().length() - 1;
  }

  /** Returns the shape of the result in slices. */
  default Shape outer() {
    return shape().first(depth());
  }

  /** Returns the number of rows of the result. */
  default long rows() {
    return few().map(slices -> (long) slices.count()).orElse(range().count(outer().elements()));
  }

  @Override
  default double bytes(List<Double> tables) {
    double slice = PlannedSizes.bytes(dtype(), shape().from(depth()));
    return (PlannedSizes.ROW_BYTES + depth() * Long.BYTES + slice) * rows();
  }

  /** Whether no bit of the result depends on the order of the rows of updates. */
  default boolean isOrderFree() {
    if (!updates().orderBy().isEmpty() || how().duplicates() == Duplicates.ERROR) {
      return true;
    }
    boolean exact =
        switch (dtype().kind()) {
          case BOOL, SIGNED, UNSIGNED -> true;
          case FLOAT, COMPLEX, STRING -> false;
        };
    return switch (how().reduction()) {
      case ADD, SUB, MUL -> exact && !BatchShuffle.Order.firstCounts(how());
      case MIN, MAX, FMIN, FMAX -> exact || dtype() == DType.STRING;
      case NONE, DIV, MEAN -> false;
    };
  }
}
