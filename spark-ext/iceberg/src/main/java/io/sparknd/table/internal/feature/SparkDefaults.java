/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.feature;

import org.apache.iceberg.expressions.Literal;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;
import org.apache.iceberg.util.DateTimeUtil;
import org.jspecify.annotations.Nullable;

/** Converts default values of Iceberg columns to text that Spark casts to the type, and back. */
final class SparkDefaults {
  private SparkDefaults() {}

  /** Returns the text of a column's default value. */
  static String text(Type type, Object value) {
    return switch (type.typeId()) {
      case DATE -> DateTimeUtil.daysToIsoDate((Integer) value);
      case TIMESTAMP ->
          ((Types.TimestampType) type).shouldAdjustToUTC()
              ? DateTimeUtil.microsToIsoTimestamptz((Long) value)
              : DateTimeUtil.microsToIsoTimestamp((Long) value);
      default -> value.toString();
    };
  }

  /**
   * Returns the default value of a column for a fill value; null if Iceberg has none for the type
   * or the text, so that the column's default is NULL.
   */
  static @Nullable Literal<?> literal(Type type, String text) {
    try {
      return switch (type.typeId()) {
        case BOOLEAN -> Literal.of(Boolean.parseBoolean(text));
        case INTEGER -> Literal.of(Integer.parseInt(text));
        case LONG -> Literal.of(Long.parseLong(text));
        case FLOAT -> Literal.of(Float.parseFloat(text));
        case DOUBLE -> Literal.of(Double.parseDouble(text));
        case STRING, DATE, TIMESTAMP, DECIMAL -> Literal.of(text).to(type);
        default -> null;
      };
    } catch (RuntimeException e) {
      return null;
    }
  }
}
