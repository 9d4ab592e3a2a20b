/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.sql.internal.procedure;

import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import org.apache.spark.sql.connector.catalog.procedures.ProcedureParameter;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.DayTimeIntervalType;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.NumericType;
import org.apache.spark.sql.types.StringType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/**
 * A parameter of a procedure.
 *
 * @param type to which arguments of other types are cast
 * @param alsoTakes accepts types that are not cast
 */
public record TensorProcedureParameter(
    String name, DataType type, Need need, String meaning, Predicate<DataType> alsoTakes) {
  /** Whether an argument may be omitted. */
  public enum Need {
    REQUIRED,
    OPTIONAL
  }

  public static final TensorProcedureParameter TABLE =
      required("table", DataTypes.StringType, "name of the table");

  public static TensorProcedureParameter required(String name, DataType type, String meaning) {
    return new TensorProcedureParameter(name, type, Need.REQUIRED, meaning, other -> false);
  }

  public static TensorProcedureParameter optional(String name, DataType type, String meaning) {
    return new TensorProcedureParameter(name, type, Need.OPTIONAL, meaning, other -> false);
  }

  public static TensorProcedureParameter string(String name, String meaning) {
    return optional(name, DataTypes.StringType, meaning);
  }

  public static TensorProcedureParameter integer(String name, String meaning) {
    return integer(name, Need.OPTIONAL, meaning);
  }

  /** Returns a parameter for an integer; others, which a cast would cut, are errors of the call. */
  public static TensorProcedureParameter integer(String name, Need need, String meaning) {
    return new TensorProcedureParameter(
        name, DataTypes.LongType, need, meaning, given -> !isNull(given));
  }

  /** Returns a parameter for the shape of a tensor; its elements are as {@link #integer}. */
  public static TensorProcedureParameter shape(Need need, String meaning) {
    return new TensorProcedureParameter(
        "shape",
        DataTypes.createArrayType(DataTypes.LongType),
        need,
        meaning,
        given -> given instanceof ArrayType array && !isNull(array.elementType()));
  }

  private static boolean isNull(DataType type) {
    return type.equals(DataTypes.NullType);
  }

  /** Returns a parameter for a boolean. */
  public static TensorProcedureParameter flag(String name, String meaning) {
    return optional(name, DataTypes.BooleanType, meaning).or(StringType.class::isInstance);
  }

  /** Returns a parameter for a number. */
  public static TensorProcedureParameter number(String name, String meaning) {
    return optional(name, DataTypes.DoubleType, meaning).or(StringType.class::isInstance);
  }

  /** Returns a parameter for a time. */
  public static TensorProcedureParameter time(String name, String meaning) {
    return optional(name, DataTypes.TimestampType, meaning).or(StringType.class::isInstance);
  }

  /** Returns a parameter for one column name or an array of them. */
  public static TensorProcedureParameter columns(String name, String meaning) {
    DataType names = DataTypes.createArrayType(DataTypes.StringType);
    return optional(name, names, meaning).or(DataTypes.StringType::equals);
  }

  /**
   * Returns a parameter for an element of a tensor: a number, boolean, string, or struct of two
   * numbers.
   */
  public static TensorProcedureParameter element(String name, String meaning) {
    return optional(name, DataTypes.StringType, meaning)
        .or(
            given ->
                given instanceof NumericType
                    || given instanceof DecimalType
                    || given.equals(DataTypes.BooleanType)
                    || given instanceof StructType struct
                        && struct.length() == 2
                        && Arrays.stream(struct.fields())
                            .allMatch(part -> part.dataType() instanceof NumericType));
  }

  /** Returns a parameter for a time or an age. */
  public static TensorProcedureParameter timeOrAge(String name, Need need, String meaning) {
    return new TensorProcedureParameter(
        name,
        DataTypes.TimestampType,
        need,
        meaning,
        given -> given instanceof DayTimeIntervalType || given instanceof StringType);
  }

  /** Returns a parameter for an interval of days to seconds, of any of these units. */
  public static TensorProcedureParameter interval(String name, String meaning) {
    return optional(name, DataTypes.createDayTimeIntervalType(), meaning)
        .or(DayTimeIntervalType.class::isInstance);
  }

  private TensorProcedureParameter or(Predicate<DataType> others) {
    return new TensorProcedureParameter(name, type, need, meaning, others);
  }

  /**
   * Returns the parameter as bound to a call.
   *
   * @param position of this parameter in the procedure
   * @param given argument types: positional arguments, named by position, then named arguments
   */
  ProcedureParameter in(StructType given, int position) {
    DataType taken = type;
    List<StructField> fields = List.of(given.fields());
    for (int i = 0; i < fields.size(); i++) {
      boolean byPosition = i == position && fields.get(i).name().equals("param" + position);
      boolean isThis = byPosition || fields.get(i).name().equalsIgnoreCase(name);
      if (isThis && alsoTakes.test(fields.get(i).dataType())) {
        taken = fields.get(i).dataType();
      }
    }
    ProcedureParameter.Builder parameter = ProcedureParameter.in(name, taken).comment(meaning);
    return need == Need.OPTIONAL ? parameter.defaultValue("NULL").build() : parameter.build();
  }
}
