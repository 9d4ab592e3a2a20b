/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.sql.internal.plan;

import io.sparknd.cluster.internal.tables.SliceRange;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;

/** Size estimates of tensors in plans. */
final class TensorText {
  /** The size of a row beside its columns, as in Spark's own estimates. */
  static final int ROW_BYTES = 8;

  /** The size of a string in a row, as in Spark's own estimates. */
  private static final int STRING_BYTES = 20;

  private TensorText() {}

  static double bytes(DType dtype, Shape shape) {
    int unit = dtype == DType.STRING ? STRING_BYTES : dtype.storage().bytes();
    return (double) shape.elements() * dtype.units() * unit;
  }

  /** Returns the text for a range of slices in the name of an operation; empty for all slices. */
  static String show(SliceRange range) {
    if (range.equals(SliceRange.ALL)) {
      return "";
    }
    return range.equals(SliceRange.NONE)
        ? ", no slices"
        : ", only slices " + range.first() + " to " + (range.end() - 1);
  }
}
