/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.sql.internal.plan;

import io.sparknd.cluster.internal.spark.SparkNdRuntimeException;
import io.sparknd.sql.internal.SqlErrors;
import java.io.Serializable;
import org.apache.spark.QueryContext;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.catalyst.util.GenericArrayData;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.unsafe.types.UTF8String;
import org.jspecify.annotations.Nullable;

/**
 * Converts slices of times, intervals, binary values or strings to slices of a dtype. Public for
 * generated code.
 *
 * @param column its name, for the error message
 * @param type of the elements
 * @param text the encoding of bytes; null for numbers
 * @param reserved the number that encodes NULL; null if there is none
 * @param nulls the encoded element for null elements of arrays; null to leave them
 * @param levels nesting depth of the arrays; 0 for single values
 * @param place position of the call in the statement; null if there is no statement
 */
public record MovedSliceEncoder(
    String column,
    DataType type,
    @Nullable ByteText text,
    @Nullable Number reserved,
    @Nullable Object nulls,
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
    if (text != null) {
      byte[] bytes = value instanceof UTF8String string ? string.getBytes() : (byte[]) value;
      return UTF8String.fromString(text.encode(bytes));
    }
    if (value.equals(reserved)) {
      throw SparkNdRuntimeException.at(
          place, SqlErrors.reservedValue(column, value, type.simpleString()));
    }
    return value;
  }
}
