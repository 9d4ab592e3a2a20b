/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.columnar;

import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Cast;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.BooleanType;
import org.apache.spark.sql.types.ByteType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DateType;
import org.apache.spark.sql.types.DayTimeIntervalType;
import org.apache.spark.sql.types.DoubleType;
import org.apache.spark.sql.types.FloatType;
import org.apache.spark.sql.types.IntegerType;
import org.apache.spark.sql.types.LongType;
import org.apache.spark.sql.types.MapType;
import org.apache.spark.sql.types.NullType;
import org.apache.spark.sql.types.ShortType;
import org.apache.spark.sql.types.StringType;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.types.TimestampNTZType;
import org.apache.spark.sql.types.TimestampType;
import org.apache.spark.sql.types.YearMonthIntervalType;

/**
 * The casts for which a column of one type is taken for another: Spark's up-casts, without those
 * that change what a value says. A bigint becomes seconds of a timestamp, a timestamp whole
 * seconds, and 5.0 another text than 5; the text of a timestamp is that of the session's time zone,
 * and an interval of fewer fields drops the smaller ones. Fields of structs exchange their values
 * if they have another order, and strings of another collation are equal to others. An int has more
 * digits than a float, and a bigint than a float or double.
 */
public final class LosslessCasts {
  private LosslessCasts() {}

  /** Returns whether a column of type {@code from} is taken for one of type {@code to}. */
  public static boolean allow(DataType from, DataType to) {
    return from instanceof NullType || Cast.canUpCast(from, to) && keep(from, to);
  }

  private static boolean keep(DataType from, DataType to) {
    if (from instanceof ArrayType some && to instanceof ArrayType others) {
      return keep(some.elementType(), others.elementType());
    }
    if (from instanceof MapType some && to instanceof MapType others) {
      return keep(some.keyType(), others.keyType()) && keep(some.valueType(), others.valueType());
    }
    if (from instanceof StructType some && to instanceof StructType others) {
      return keep(some, others);
    }
    return from instanceof NullType || keepAtoms(from, to);
  }

  /** Spark casts fields by their places, so they must have the same names there, or none. */
  private static boolean keep(StructType from, StructType to) {
    if (!isNamedAs(from, to)) {
      return false;
    }
    for (int i = 0; i < from.length(); i++) {
      if (!keep(from.fields()[i].dataType(), to.fields()[i].dataType())) {
        return false;
      }
    }
    return true;
  }

  private static boolean isNamedAs(StructType from, StructType to) {
    List<String> names = SqlTypes.names(from);
    List<String> wanted = SqlTypes.names(to);
    List<String> unnamed = SqlTypes.unnamed(names.size());
    return names.equals(wanted)
        || names.equals(unnamed) && wanted.stream().noneMatch(unnamed::contains);
  }

  private static boolean keepAtoms(DataType from, DataType to) {
    if (from instanceof DayTimeIntervalType narrow && to instanceof DayTimeIntervalType wide) {
      return wide.endField() >= narrow.endField();
    }
    if (from instanceof YearMonthIntervalType narrow && to instanceof YearMonthIntervalType wide) {
      return wide.endField() >= narrow.endField();
    }
    if (from instanceof StringType some && to instanceof StringType others) {
      return some.collationId() == others.collationId();
    }
    if (to instanceof StringType) {
      return hasOneText(from);
    }
    if (isTime(from) || isTime(to)) {
      return from.equals(to) || from instanceof DateType;
    }
    return !InternalRows.isInteger(from) || keepsDigits(from, to);
  }

  private static boolean keepsDigits(DataType integer, DataType to) {
    boolean isFloat = to instanceof FloatType || to instanceof DoubleType;
    return !isFloat || 2 * integer.defaultSize() <= to.defaultSize();
  }

  /** Whether a value has one text, whatever the session and the type. */
  private static boolean hasOneText(DataType type) {
    return type instanceof BooleanType
        || type instanceof DateType
        || type instanceof ByteType
        || type instanceof ShortType
        || type instanceof IntegerType
        || type instanceof LongType;
  }

  private static boolean isTime(DataType type) {
    return type instanceof TimestampType || type instanceof TimestampNTZType;
  }
}
