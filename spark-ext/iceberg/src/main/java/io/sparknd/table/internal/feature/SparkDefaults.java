/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.feature;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.apache.commons.codec.binary.Hex;
import org.apache.iceberg.expressions.Literal;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;
import org.apache.iceberg.util.ByteBuffers;
import org.apache.iceberg.util.DateTimeUtil;
import org.jspecify.annotations.Nullable;

/**
 * Converts default values of Iceberg columns to text that Spark casts to the type, and back. The
 * text of bytes is only to be shown: Spark casts none to arbitrary bytes.
 */
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
      case BINARY, FIXED ->
          "X'" + Hex.encodeHexString(ByteBuffers.toByteArray((ByteBuffer) value)) + "'";
      default -> value.toString();
    };
  }

  /**
   * Returns the default value of a column for a fill value; null if Iceberg has none for the type
   * or the text, so that the column's default is NULL.
   *
   * @param text as {@link FillValues#stored}
   */
  static @Nullable Literal<?> literal(Type type, String text) {
    try {
      return switch (type.typeId()) {
        case BOOLEAN -> flag(text);
        case INTEGER -> Literal.of(Integer.parseInt(text));
        case LONG -> Literal.of(Long.parseLong(text));
        case FLOAT -> number(Float.parseFloat(text));
        case DOUBLE -> number(Double.parseDouble(text));
        case STRING, DATE, TIMESTAMP -> Literal.of(text).to(type);
        case DECIMAL -> Literal.of(decimal((Types.DecimalType) type, text));
        case BINARY -> Literal.of(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
        default -> null;
      };
    } catch (RuntimeException e) {
      return null;
    }
  }

  /** Returns a number; null for NaN and infinities, which Iceberg writes and then cannot read. */
  private static @Nullable Literal<?> number(float value) {
    return Float.isFinite(value) ? Literal.of(value) : null;
  }

  private static @Nullable Literal<?> number(double value) {
    return Double.isFinite(value) ? Literal.of(value) : null;
  }

  /** Returns a number of the type's scale, rounded as Spark's cast does. */
  private static BigDecimal decimal(Types.DecimalType type, String text) {
    return new BigDecimal(text).setScale(type.scale(), RoundingMode.HALF_UP);
  }

  /** Returns a boolean; null for other texts, some of which Spark casts to true. */
  private static @Nullable Literal<?> flag(String text) {
    boolean isTrue = text.equalsIgnoreCase("true");
    return isTrue || text.equalsIgnoreCase("false") ? Literal.of(isTrue) : null;
  }
}
