/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.sql.internal.plan;

import io.sparknd.cluster.internal.spark.SparkNdRuntimeException;
import io.sparknd.sql.internal.SqlErrors;
import io.sparknd.tensor.SparkNdException;
import java.io.Serializable;
import org.apache.spark.QueryContext;
import org.apache.spark.sql.catalyst.expressions.UnsafeArrayData;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.catalyst.util.GenericArrayData;
import org.apache.spark.sql.types.Decimal;

/**
 * Converts slices of int64 from {@link DecimalSliceEncoder} back to slices of decimals. Public for
 * generated code.
 *
 * @param column its name, for the error message
 * @param levels nesting depth of the arrays of decimals
 * @param place position of the call in the statement; null if there is no statement
 */
public record DecimalSliceDecoder(String column, DecimalUnits units, int levels, QueryContext place)
    implements Serializable {
  private static final long serialVersionUID = 1;

  /**
   * Called by Spark with non-null values.
   *
   * @param index of the slice, for the error message
   * @throws io.sparknd.tensor.SparkNdException if a number does not fit the type
   */
  public Object apply(Object value, Object index) {
    ArrayData at = (ArrayData) index;
    if (levels > 0) {
      return array((ArrayData) value, 1, at);
    }
    long[] values =
        units.count() == 1 ? new long[] {(Long) value} : ((ArrayData) value).toLongArray();
    return decimal(values, 0, at);
  }

  private Decimal decimal(long[] values, int at, ArrayData index) {
    Decimal decimal = units.decode(values, at);
    if (decimal == null) {
      SparkNdException overflow =
          SqlErrors.decimalOverflow(
              column, index.toLongArray(), units.sum(values, at), units.type().sql());
      throw SparkNdRuntimeException.at(place, overflow);
    }
    return decimal;
  }

  private ArrayData array(ArrayData array, int level, ArrayData index) {
    if (level < levels) {
      Object[] inner = new Object[array.numElements()];
      for (int i = 0; i < inner.length; i++) {
        inner[i] = array(array.getArray(i), level + 1, index);
      }
      return new GenericArrayData(inner);
    }
    if (units.count() == 1) {
      return whole(array, index);
    }
    Object[] decimals = new Object[array.numElements()];
    for (int i = 0; i < decimals.length; i++) {
      decimals[i] = decimal(array.getArray(i).toLongArray(), 0, index);
    }
    return new GenericArrayData(decimals);
  }

  private ArrayData whole(ArrayData array, ArrayData index) {
    long[] values = array.toLongArray();
    Object[] decimals = new Object[values.length];
    for (int i = 0; i < decimals.length; i++) {
      decimals[i] = decimal(values, i, index);
    }
    // Spark stores decimals of up to 18 digits as their unscaled values
    return array instanceof UnsafeArrayData ? array : new GenericArrayData(decimals);
  }
}
