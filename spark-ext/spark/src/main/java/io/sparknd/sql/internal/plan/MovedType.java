/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.sql.internal.plan;

import io.sparknd.op.Reduction;
import io.sparknd.tensor.DType;
import java.io.Serializable;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.spark.sql.types.BinaryType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.DateType;
import org.apache.spark.sql.types.DayTimeIntervalType;
import org.apache.spark.sql.types.TimestampNTZType;
import org.apache.spark.sql.types.TimestampType;
import org.apache.spark.sql.types.YearMonthIntervalType;
import org.jspecify.annotations.Nullable;

/**
 * A SQL type whose values a call moves or compares, but does not calculate with. Strings have it
 * only in calls that compare them, where an element without a value is NULL.
 *
 * @param dtype of the encoded elements: what Spark stores for the type, and {@link ByteText} for
 *     binary values and strings
 * @param hasZero whether the encoded zero, or empty string, is a value that an element may have
 *     without an update. If not, those elements are NULL
 */
record MovedType(DataType type, DType dtype, boolean hasZero) implements Serializable {

  /** Returns the moved type of a SQL type in a call with this reduction; empty for all others. */
  static Optional<MovedType> of(DataType type, Reduction reduction) {
    if (type instanceof DateType) {
      return Optional.of(new MovedType(type, DType.INT32, false));
    }
    if (type instanceof TimestampType || type instanceof TimestampNTZType) {
      return Optional.of(new MovedType(type, DType.INT64, false));
    }
    if (type instanceof YearMonthIntervalType) {
      return Optional.of(new MovedType(type, DType.INT32, true));
    }
    if (type instanceof DayTimeIntervalType) {
      return Optional.of(new MovedType(type, DType.INT64, true));
    }
    boolean isCompared = reduction != Reduction.NONE && isDefined(reduction);
    return type instanceof BinaryType || type.equals(DataTypes.StringType) && isCompared
        ? Optional.of(new MovedType(type, DType.STRING, !isCompared))
        : Optional.empty();
  }

  /** Whether moved values have this reduction. */
  static boolean isDefined(Reduction reduction) {
    return switch (reduction) {
      case NONE, MIN, MAX, FMIN, FMAX -> true;
      case ADD, SUB, MUL, DIV, MEAN -> false;
    };
  }

  /** Lists the reductions of moved values, separated by commas. */
  static String defined() {
    return Arrays.stream(Reduction.values())
        .filter(MovedType::isDefined)
        .map(Reduction::toString)
        .collect(Collectors.joining(", "));
  }

  static boolean keepsSmallest(Reduction reduction) {
    return reduction == Reduction.MIN || reduction == Reduction.FMIN;
  }

  /** Returns the encoding of bytes; null for types that Spark stores as numbers. */
  @Nullable ByteText text(Reduction reduction) {
    if (dtype != DType.STRING) {
      return null;
    }
    return hasZero ? ByteText.MOVED : ByteText.compared(reduction);
  }

  /**
   * Returns the number that encodes NULL: the extreme that any update replaces. Null for types with
   * a zero, and for bytes.
   */
  @Nullable Number reserved(Reduction reduction) {
    if (hasZero || dtype == DType.STRING) {
      return null;
    }
    boolean isLargest = keepsSmallest(reduction);
    return dtype == DType.INT32
        ? (Number) (isLargest ? Integer.MAX_VALUE : Integer.MIN_VALUE)
        : (Number) (isLargest ? Long.MAX_VALUE : Long.MIN_VALUE);
  }
}
