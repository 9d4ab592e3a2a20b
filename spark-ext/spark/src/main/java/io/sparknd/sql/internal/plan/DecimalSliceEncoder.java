/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.sql.internal.plan;

import java.io.Serializable;
import org.apache.spark.sql.catalyst.expressions.UnsafeArrayData;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.catalyst.util.GenericArrayData;
import org.apache.spark.sql.types.Decimal;

/**
 * Converts slices of decimals to slices of int64. Public for generated code.
 *
 * @param levels nesting depth of the arrays; 0 for single decimals
 * @param flat whether the int64 values of a decimal are stored inline in its array instead of in an
 *     array of their own
 */
public record DecimalSliceEncoder(DecimalUnits units, int levels, boolean flat)
    implements Serializable {
  private static final long serialVersionUID = 1;

  /** Called by Spark with a non-null value. */
  public Object apply(Object value) {
    return levels == 0 ? element((Decimal) value) : array((ArrayData) value, 1);
  }

  private Object element(Decimal decimal) {
    long[] values = new long[units.count()];
    units.encode(decimal, values, 0);
    return units.count() == 1 ? (Object) values[0] : UnsafeArrayData.fromPrimitiveArray(values);
  }

  private ArrayData array(ArrayData array, int level) {
    if (level == levels && units.count() == 1 && array instanceof UnsafeArrayData) {
      // Spark stores decimals of up to 18 digits as their unscaled values
      return array;
    }
    boolean joined = level == levels && flat;
    int each = joined ? units.count() : 1;
    Object[] values = new Object[array.numElements() * each];
    for (int i = 0; i < array.numElements(); i++) {
      if (array.isNullAt(i)) {
        continue;
      }
      if (level < levels) {
        values[i] = array(array.getArray(i), level + 1);
        continue;
      }
      Decimal decimal = array.getDecimal(i, units.precision(), units.scale());
      if (joined) {
        long[] digits = new long[each];
        units.encode(decimal, digits, 0);
        for (int digit = 0; digit < each; digit++) {
          values[i * each + digit] = digits[digit];
        }
      } else {
        values[i] = element(decimal);
      }
    }
    return new GenericArrayData(values);
  }
}
