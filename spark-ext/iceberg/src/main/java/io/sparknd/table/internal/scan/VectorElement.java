/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.scan;

import java.util.Optional;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;
import org.apache.parquet.schema.LogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.DateLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.DecimalLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.EnumLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.IntLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.JsonLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.StringLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.TimeUnit;
import org.apache.parquet.schema.LogicalTypeAnnotation.TimestampLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.UUIDLogicalTypeAnnotation;
import org.apache.parquet.schema.PrimitiveType;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.jspecify.annotations.Nullable;

/** How values of a Parquet column become elements of a vector of Spark. */
enum VectorElement {
  BOOLEAN(1),
  INT(Integer.BYTES),
  INT_AS_LONG(Integer.BYTES),
  LONG(Long.BYTES),
  FLOAT(Float.BYTES),
  FLOAT_AS_DOUBLE(Float.BYTES),
  DOUBLE(Double.BYTES),
  BYTES(0),
  UUID(16),
  INT_DECIMAL(Integer.BYTES),
  LONG_DECIMAL(Long.BYTES),
  BYTES_DECIMAL(0);

  /** Bytes of a value in PLAIN encoding; 0 if they vary. */
  private final int width;

  VectorElement(int width) {
    this.width = width;
  }

  int width() {
    return width;
  }

  /** Returns whether columns of {@code type} may be read at all. */
  static boolean isReadable(Type.PrimitiveType type) {
    return switch (type.typeId()) {
      case BOOLEAN, INTEGER, LONG, FLOAT, DOUBLE, DATE, STRING, UUID, FIXED, BINARY, DECIMAL ->
          true;
      case TIMESTAMP -> true;
      default -> false;
    };
  }

  /**
   * Returns how to read a column.
   *
   * @param expected type in the table's schema
   * @param stored type in the file
   * @return empty if only Iceberg can
   */
  static Optional<VectorElement> of(Type.PrimitiveType expected, PrimitiveType stored) {
    return Optional.ofNullable(find(expected, stored));
  }

  private static @Nullable VectorElement find(Type.PrimitiveType expected, PrimitiveType stored) {
    PrimitiveTypeName physical = stored.getPrimitiveTypeName();
    LogicalTypeAnnotation annotation = stored.getLogicalTypeAnnotation();
    return switch (expected.typeId()) {
      case BOOLEAN -> plain(physical == PrimitiveTypeName.BOOLEAN, annotation, BOOLEAN);
      case INTEGER -> when(physical == PrimitiveTypeName.INT32 && isSigned(annotation), INT);
      case DATE ->
          when(
              physical == PrimitiveTypeName.INT32
                  && annotation instanceof DateLogicalTypeAnnotation,
              INT);
      case LONG -> isSigned(annotation) ? longs(physical) : null;
      case TIMESTAMP ->
          when(
              physical == PrimitiveTypeName.INT64
                  && annotation instanceof TimestampLogicalTypeAnnotation time
                  && time.getUnit() == TimeUnit.MICROS,
              LONG);
      case FLOAT -> plain(physical == PrimitiveTypeName.FLOAT, annotation, FLOAT);
      case DOUBLE ->
          physical == PrimitiveTypeName.FLOAT
              ? plain(true, annotation, FLOAT_AS_DOUBLE)
              : plain(physical == PrimitiveTypeName.DOUBLE, annotation, DOUBLE);
      case STRING -> when(physical == PrimitiveTypeName.BINARY && isText(annotation), BYTES);
      case BINARY -> plain(physical == PrimitiveTypeName.BINARY, annotation, BYTES);
      case FIXED -> plain(physical == PrimitiveTypeName.FIXED_LEN_BYTE_ARRAY, annotation, BYTES);
      case UUID -> when(isUuid(stored), UUID);
      case DECIMAL -> decimal((Types.DecimalType) expected, stored);
      default -> null;
    };
  }

  private static @Nullable VectorElement when(boolean fits, VectorElement element) {
    return fits ? element : null;
  }

  private static @Nullable VectorElement plain(
      boolean fits, @Nullable LogicalTypeAnnotation annotation, VectorElement element) {
    return fits && annotation == null ? element : null;
  }

  private static @Nullable VectorElement longs(PrimitiveTypeName physical) {
    return switch (physical) {
      case INT64 -> LONG;
      case INT32 -> INT_AS_LONG;
      default -> null;
    };
  }

  private static boolean isSigned(@Nullable LogicalTypeAnnotation annotation) {
    return annotation == null
        || annotation instanceof IntLogicalTypeAnnotation integer && integer.isSigned();
  }

  private static boolean isText(@Nullable LogicalTypeAnnotation annotation) {
    return annotation instanceof StringLogicalTypeAnnotation
        || annotation instanceof EnumLogicalTypeAnnotation
        || annotation instanceof JsonLogicalTypeAnnotation;
  }

  private static boolean isUuid(PrimitiveType stored) {
    LogicalTypeAnnotation annotation = stored.getLogicalTypeAnnotation();
    return stored.getPrimitiveTypeName() == PrimitiveTypeName.FIXED_LEN_BYTE_ARRAY
        && stored.getTypeLength() == UUID.width
        && (annotation == null || annotation instanceof UUIDLogicalTypeAnnotation);
  }

  private static @Nullable VectorElement decimal(Types.DecimalType expected, PrimitiveType stored) {
    boolean fits =
        stored.getLogicalTypeAnnotation() instanceof DecimalLogicalTypeAnnotation decimal
            && decimal.getScale() == expected.scale()
            && decimal.getPrecision() <= expected.precision();
    if (!fits) {
      return null;
    }
    return switch (stored.getPrimitiveTypeName()) {
      case INT32 -> INT_DECIMAL;
      case INT64 -> LONG_DECIMAL;
      case BINARY, FIXED_LEN_BYTE_ARRAY -> BYTES_DECIMAL;
      default -> null;
    };
  }
}
