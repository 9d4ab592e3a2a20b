/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster;

import io.sparknd.tensor.DType;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.Metadata;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/**
 * The SQL type of each dtype. Spark has no unsigned and no half types: an unsigned one takes the
 * next wider signed type (uint64: decimal(20, 0)), a half one takes float. Complex is {@code
 * struct<re, im>}.
 */
public final class SqlTypes {
  private SqlTypes() {}

  /** The SQL type of one element. */
  public static DataType element(DType dtype) {
    return switch (dtype) {
      case BOOL -> DataTypes.BooleanType;
      case INT8 -> DataTypes.ByteType;
      case INT16, UINT8 -> DataTypes.ShortType;
      case INT32, UINT16 -> DataTypes.IntegerType;
      case INT64, UINT32 -> DataTypes.LongType;
      case UINT64 -> DataTypes.createDecimalType(20, 0);
      case FLOAT16, BFLOAT16, FLOAT32 -> DataTypes.FloatType;
      case FLOAT64 -> DataTypes.DoubleType;
      case COMPLEX64 -> complex(DataTypes.FloatType);
      case COMPLEX128 -> complex(DataTypes.DoubleType);
      case STRING -> DataTypes.StringType;
    };
  }

  private static DataType complex(DataType part) {
    return new StructType(
        new StructField[] {
          new StructField("re", part, false, Metadata.empty()),
          new StructField("im", part, false, Metadata.empty())
        });
  }

  /** The SQL type of a slice of {@code rank} dimensions: the element, or arrays of it. */
  public static DataType slice(DType dtype, int rank) {
    DataType type = element(dtype);
    for (int d = 0; d < rank; d++) {
      type = new ArrayType(type, false);
    }
    return type;
  }
}
