/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.sql.internal.plan;

import java.io.Serializable;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.catalyst.util.GenericArrayData;
import org.apache.spark.sql.types.BinaryType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.unsafe.types.UTF8String;
import org.jspecify.annotations.Nullable;

/**
 * Converts slices from {@link MovedSliceEncoder} back to slices of times, intervals, binary values
 * or strings. Public for generated code.
 *
 * @param encoded type of the encoded elements
 * @param type of the elements
 * @param text the encoding of bytes; null for numbers
 * @param reserved the number that encodes NULL; null if there is none
 * @param levels nesting depth of the arrays; 0 for single values
 */
public record MovedSliceDecoder(
    DataType encoded, DataType type, @Nullable ByteText text, @Nullable Number reserved, int levels)
    implements Serializable {
  private static final long serialVersionUID = 1;

  /** Called by Spark with a non-null value. */
  public @Nullable Object apply(Object value) {
    return levels == 0 ? element(value) : array((ArrayData) value, 1);
  }

  private ArrayData array(ArrayData array, int level) {
    Object[] values = new Object[array.numElements()];
    for (int i = 0; i < values.length; i++) {
      values[i] =
          level < levels ? array(array.getArray(i), level + 1) : element(array.get(i, encoded));
    }
    return new GenericArrayData(values);
  }

  private @Nullable Object element(Object value) {
    if (text == null) {
      return value.equals(reserved) ? null : value;
    }
    byte[] bytes = text.decode((UTF8String) value);
    return bytes == null || type instanceof BinaryType ? bytes : UTF8String.fromBytes(bytes);
  }
}
