/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.udf.gpu;

import ai.rapids.cudf.ColumnView;
import ai.rapids.cudf.DType;
import ai.rapids.cudf.HostColumnVector.BasicType;
import ai.rapids.cudf.HostColumnVector.ListType;
import java.util.Map;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;

/** Converts between types of Spark and cuDF. */
final class CudfTypes {
  private static final Map<DataType, DType> ELEMENTS =
      Map.of(
          DataTypes.BooleanType, DType.BOOL8,
          DataTypes.ByteType, DType.INT8,
          DataTypes.ShortType, DType.INT16,
          DataTypes.IntegerType, DType.INT32,
          DataTypes.LongType, DType.INT64,
          DataTypes.FloatType, DType.FLOAT32,
          DataTypes.DoubleType, DType.FLOAT64);

  private CudfTypes() {}

  /** Whether {@link #of} supports {@code type}: numbers, booleans, and nested arrays of them. */
  static boolean has(DataType type) {
    return type instanceof ArrayType array ? has(array.elementType()) : ELEMENTS.containsKey(type);
  }

  static ai.rapids.cudf.HostColumnVector.DataType of(DataType type) {
    return type instanceof ArrayType array
        ? new ListType(true, of(array.elementType()))
        : new BasicType(true, ELEMENTS.get(type));
  }

  /** Returns the Spark type of a column of numbers or booleans, or of lists of them. */
  static DataType of(ColumnView column) {
    if (!column.getType().equals(DType.LIST)) {
      return element(column.getType());
    }
    try (ColumnView elements = column.getChildColumnView(0)) {
      return new ArrayType(of(elements), true);
    }
  }

  /** Returns the Spark type of elements of {@code type}. */
  static DataType element(DType type) {
    return ELEMENTS.entrySet().stream()
        .filter(entry -> entry.getValue().equals(type))
        .findFirst()
        .map(Map.Entry::getKey)
        .orElseThrow(() -> new IllegalArgumentException(type.toString()));
  }
}
