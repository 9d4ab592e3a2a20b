/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.udf.gpu;

import ai.rapids.cudf.ColumnVector;
import ai.rapids.cudf.ColumnView;
import ai.rapids.cudf.DType;
import ai.rapids.cudf.HostColumnVector.BasicType;
import ai.rapids.cudf.HostColumnVector.ListType;
import io.sparknd.udf.UdfErrors;
import java.util.List;
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

  /** Types of numbers in widening order. */
  private static final List<DataType> NUMBERS =
      List.of(
          DataTypes.ByteType,
          DataTypes.ShortType,
          DataTypes.IntegerType,
          DataTypes.LongType,
          DataTypes.FloatType,
          DataTypes.DoubleType);

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

  /**
   * Returns the Spark type of a column of numbers or booleans, or of lists of them.
   *
   * @throws io.sparknd.tensor.SparkNdException if it is another column
   */
  static DataType of(ColumnView column) {
    if (!column.getType().equals(DType.LIST)) {
      return element(column.getType());
    }
    try (ColumnView elements = column.getChildColumnView(0)) {
      return new ArrayType(of(elements), true);
    }
  }

  /**
   * Returns the Spark type of elements of {@code type}.
   *
   * @throws io.sparknd.tensor.SparkNdException if they are neither numbers nor booleans
   */
  static DataType element(DType type) {
    return ELEMENTS.entrySet().stream()
        .filter(entry -> entry.getValue().equals(type))
        .findFirst()
        .map(Map.Entry::getKey)
        .orElseThrow(() -> UdfErrors.notOnGpu(type.toString()));
  }

  /**
   * Returns {@code type} with the elements of {@code like} if these are wider numbers, otherwise
   * {@code type}.
   */
  static DataType widened(DataType type, DataType like) {
    int own = NUMBERS.indexOf(leaf(type));
    int wanted = NUMBERS.indexOf(leaf(like));
    return own >= 0 && own < wanted ? with(type, leaf(like)) : type;
  }

  private static DataType leaf(DataType type) {
    return type instanceof ArrayType array ? leaf(array.elementType()) : type;
  }

  private static DataType with(DataType type, DataType leaf) {
    return type instanceof ArrayType array
        ? new ArrayType(with(array.elementType(), leaf), array.containsNull())
        : leaf;
  }

  /**
   * Casts the numbers in a column, or in its lists, to those of {@code type}. The caller closes the
   * result.
   */
  static ColumnVector cast(ColumnView column, DataType type) {
    if (!column.getType().equals(DType.LIST)) {
      return column.castTo(ELEMENTS.get(leaf(type)));
    }
    try (ColumnView elements = column.getChildColumnView(0);
        ColumnVector wide = cast(elements, type);
        ColumnView lists = column.replaceListChild(wide)) {
      return lists.copyToColumnVector();
    }
  }
}
