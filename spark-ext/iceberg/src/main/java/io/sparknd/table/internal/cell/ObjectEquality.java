/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.cell;

import java.util.Objects;
import java.util.stream.IntStream;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.catalyst.util.MapData;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.MapType;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

/**
 * Compares values in Spark's internal form by what they hold: forms of one value differ by who read
 * it, and some have no {@code equals}. Entries of maps count in their order.
 */
final class ObjectEquality {
  private ObjectEquality() {}

  static boolean areEqual(DataType type, @Nullable Object one, @Nullable Object other) {
    if (one == null || other == null) {
      return one == other;
    }
    if (type instanceof ArrayType array) {
      return areEqual(array.elementType(), (ArrayData) one, (ArrayData) other);
    }
    if (type instanceof MapType map) {
      MapData first = (MapData) one;
      MapData second = (MapData) other;
      return areEqual(map.keyType(), first.keyArray(), second.keyArray())
          && areEqual(map.valueType(), first.valueArray(), second.valueArray());
    }
    return type instanceof StructType struct
        ? areEqual(struct, (InternalRow) one, (InternalRow) other)
        : Objects.deepEquals(one, other);
  }

  private static boolean areEqual(DataType element, ArrayData one, ArrayData other) {
    return one.numElements() == other.numElements()
        && IntStream.range(0, one.numElements())
            .allMatch(
                i ->
                    one.isNullAt(i) == other.isNullAt(i)
                        && (one.isNullAt(i)
                            || areEqual(element, one.get(i, element), other.get(i, element))));
  }

  private static boolean areEqual(StructType struct, InternalRow one, InternalRow other) {
    return IntStream.range(0, struct.length())
        .allMatch(
            i -> {
              DataType field = struct.fields()[i].dataType();
              return one.isNullAt(i) == other.isNullAt(i)
                  && (one.isNullAt(i) || areEqual(field, one.get(i, field), other.get(i, field)));
            });
  }
}
