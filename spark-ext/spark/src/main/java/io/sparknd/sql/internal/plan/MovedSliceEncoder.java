/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.sql.internal.plan;

import io.sparknd.cluster.internal.spark.SparkNdRuntimeException;
import io.sparknd.sql.internal.SqlErrors;
import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import org.apache.spark.QueryContext;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.catalyst.util.GenericArrayData;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.unsafe.types.UTF8String;
import org.jspecify.annotations.Nullable;

/**
 * Converts slices of times, intervals or binary values to slices of a dtype. Public for generated
 * code.
 *
 * @param column its name, for the error message
 * @param type of the elements
 * @param reserved the number that encodes NULL; null if there is none
 * @param nulls the number for null elements of arrays; null to leave them
 * @param levels nesting depth of the arrays; 0 for single values
 * @param place position of the call in the statement; null if there is no statement
 */
public record MovedSliceEncoder(
    String column,
    DataType type,
    @Nullable Number reserved,
    @Nullable Number nulls,
    int levels,
    QueryContext place)
    implements Serializable {
  private static final long serialVersionUID = 1;

  /**
   * Called by Spark with a non-null value.
   *
   * @throws io.sparknd.tensor.SparkNdException if an element is the value that encodes NULL
   */
  public Object apply(Object value) {
    return levels == 0 ? element(value) : array((ArrayData) value, 1);
  }

  private ArrayData array(ArrayData array, int level) {
    Object[] values = new Object[array.numElements()];
    for (int i = 0; i < values.length; i++) {
      if (level < levels) {
        values[i] = array.isNullAt(i) ? null : array(array.getArray(i), level + 1);
      } else {
        values[i] = array.isNullAt(i) ? nulls : element(array.get(i, type));
      }
    }
    return new GenericArrayData(values);
  }

  private Object element(Object value) {
    if (value instanceof byte[] bytes) {
      return UTF8String.fromString(text(bytes));
    }
    if (value.equals(reserved)) {
      throw SparkNdRuntimeException.at(
          place, SqlErrors.reservedValue(column, value, type.simpleString()));
    }
    return value;
  }

  /** Returns a string of one character for each byte. */
  static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }
}
