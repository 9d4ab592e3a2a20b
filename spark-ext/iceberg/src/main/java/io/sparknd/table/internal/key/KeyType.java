/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.key;

import io.sparknd.table.internal.FeatureErrors;
import org.apache.iceberg.types.Type;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;

/** The types that a key column can have. */
public enum KeyType {
  STRING,
  BINARY,
  UUID,
  LONG,
  INT,
  DATE;

  /**
   * Returns the key type of an Iceberg type.
   *
   * @param column the column's name, for the message
   * @throws io.sparknd.tensor.SparkNdException if keys cannot be of this type
   */
  public static KeyType of(String column, Type type) {
    return switch (type.typeId()) {
      case STRING -> STRING;
      case BINARY -> BINARY;
      case UUID -> UUID;
      case LONG -> LONG;
      case INTEGER -> INT;
      case DATE -> DATE;
      default -> throw FeatureErrors.keyType(column, type.toString());
    };
  }

  /** Returns the SQL type of values; a UUID is a string in Spark. */
  public DataType sql() {
    return switch (this) {
      case STRING, UUID -> DataTypes.StringType;
      case BINARY -> DataTypes.BinaryType;
      case LONG -> DataTypes.LongType;
      case INT -> DataTypes.IntegerType;
      case DATE -> DataTypes.DateType;
    };
  }

  /** Returns whether values are bytes, and not integers. */
  public boolean hasBytes() {
    return isVariable() || this == UUID;
  }

  /** Returns whether encoded values have different lengths. */
  boolean isVariable() {
    return this == STRING || this == BINARY;
  }

  /** Returns the number of bytes of an encoded value of a type that is not variable. */
  int width() {
    return switch (this) {
      case UUID -> 16;
      case LONG -> Long.BYTES;
      default -> Integer.BYTES;
    };
  }
}
