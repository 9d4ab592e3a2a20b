/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.adoption;

import static org.apache.spark.sql.functions.exists;
import static org.apache.spark.sql.functions.length;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.not;
import static org.apache.spark.sql.functions.size;
import static org.apache.spark.sql.functions.when;

import io.sparknd.cluster.internal.columnar.SqlTypes;
import io.sparknd.tensor.Shape;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.BinaryType;
import org.apache.spark.sql.types.DataType;

/** Conditions of SQL on columns that store slices. */
public final class SliceConditions {
  private SliceConditions() {}

  /**
   * Returns a condition: whether a value has all elements of a slice, none of them null unless they
   * are times, which have no zero. Arrays are nested as deep as the slice, or flat.
   *
   * @param bytes size of a slice in a binary column; 0 if its values are elements
   */
  public static Column isWhole(Column value, DataType type, Shape slice, long bytes) {
    return isWhole(value, type, slice, bytes, 0);
  }

  /** Checks dimensions {@code [axis, rank)}. */
  private static Column isWhole(Column value, DataType type, Shape slice, long bytes, int axis) {
    if (type instanceof BinaryType && bytes > 0) {
      return when(value.isNull(), lit(false)).otherwise(length(value).equalTo(bytes));
    }
    if (!(type instanceof ArrayType array)) {
      return SqlTypes.isTime(type) ? lit(true) : value.isNotNull();
    }
    boolean flat = !(array.elementType() instanceof ArrayType);
    long wanted = flat ? slice.from(axis).elements() : slice.dim(axis);
    Column inner =
        not(exists(value, each -> not(isWhole(each, array.elementType(), slice, bytes, axis + 1))));
    return when(value.isNull(), lit(false)).otherwise(size(value).equalTo(wanted).and(inner));
  }
}
