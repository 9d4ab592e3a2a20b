/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.sql.internal.plan;

import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.catalyst.util.GenericArrayData;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.unsafe.types.UTF8String;
import org.jspecify.annotations.Nullable;

/**
 * Converts slices from {@link MovedSliceEncoder} back to slices of times, intervals or binary
 * values. Public for generated code.
 *
 * @param encoded type of the encoded elements
 * @param missing the number that encodes NULL; null if there is none
 * @param levels nesting depth of the arrays; 0 for single values
 */
public record MovedSliceDecoder(DataType encoded, @Nullable Number missing, int levels)
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
    if (value instanceof UTF8String text) {
      return text.toString().getBytes(StandardCharsets.ISO_8859_1);
    }
    return value.equals(missing) ? null : value;
  }
}
