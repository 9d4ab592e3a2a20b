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
import org.apache.spark.sql.types.DateType;
import org.apache.spark.sql.types.DayTimeIntervalType;
import org.apache.spark.sql.types.TimestampNTZType;
import org.apache.spark.sql.types.TimestampType;
import org.apache.spark.sql.types.YearMonthIntervalType;
import org.jspecify.annotations.Nullable;

/**
 * A SQL type whose values a tensor moves, and compares if they are numbers for Spark, but does not
 * calculate with.
 *
 * @param dtype of the encoded elements: what Spark stores for the type, and for binary values
 *     strings of one character a byte
 * @param hasZero whether the encoded zero, or empty string, is a value that an element may have
 *     without an update. A time has no such value: those elements are NULL
 */
record MovedType(DataType type, DType dtype, boolean hasZero) implements Serializable {

  /** Returns the moved type of a SQL type; empty for all others. */
  static Optional<MovedType> of(DataType type) {
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
    return type instanceof BinaryType
        ? Optional.of(new MovedType(type, DType.STRING, true))
        : Optional.empty();
  }

  boolean isDefined(Reduction reduction) {
    return switch (reduction) {
      case NONE -> true;
      case MIN, MAX, FMIN, FMAX -> dtype != DType.STRING;
      case ADD, SUB, MUL, DIV, MEAN -> false;
    };
  }

  /** Lists the reductions of this type, separated by commas. */
  String defined() {
    return Arrays.stream(Reduction.values())
        .filter(this::isDefined)
        .map(Reduction::toString)
        .collect(Collectors.joining(", "));
  }

  /**
   * Returns the number that encodes NULL: the extreme that any update replaces. Null for types with
   * a zero.
   */
  @Nullable Number missing(Reduction reduction) {
    if (hasZero) {
      return null;
    }
    boolean isLargest = reduction == Reduction.MIN || reduction == Reduction.FMIN;
    return dtype == DType.INT32
        ? (Number) (isLargest ? Integer.MAX_VALUE : Integer.MIN_VALUE)
        : (Number) (isLargest ? Long.MAX_VALUE : Long.MIN_VALUE);
  }
}
