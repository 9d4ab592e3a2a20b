/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.columnar;

import io.sparknd.cluster.internal.ClusterErrors;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.spark.sql.catalyst.expressions.RowOrdering;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.CharType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.FractionalType;
import org.apache.spark.sql.types.MapType;
import org.apache.spark.sql.types.Metadata;
import org.apache.spark.sql.types.StringType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.types.VarcharType;

/**
 * Maps each dtype to a SQL type. Spark has no unsigned and no half-precision types: an unsigned
 * dtype maps to the next wider signed type (uint64: decimal(20, 0)), a half-precision dtype to
 * float. Complex is {@code struct<re, im>}.
 */
public final class SqlTypes {
  /** The dtypes that SQL types map back to, one for each SQL type. */
  private static final Set<DType> NATURAL =
      EnumSet.complementOf(
          EnumSet.of(DType.UINT8, DType.UINT16, DType.UINT32, DType.FLOAT16, DType.BFLOAT16));

  private static final List<String> PARTS = List.of("re", "im");

  private SqlTypes() {}

  /** Returns the SQL type of one element. */
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

  /** Returns the type of the elements of arrays, however deep they are nested. */
  public static DataType innermost(DataType type) {
    DataType element = type;
    while (element instanceof ArrayType array) {
      element = array.elementType();
    }
    return element;
  }

  /** Returns whether a type has strings whose collation is not UTF8_BINARY. */
  public static boolean isCollated(DataType type) {
    if (type instanceof ArrayType array) {
      return isCollated(array.elementType());
    }
    if (type instanceof MapType map) {
      return isCollated(map.keyType()) || isCollated(map.valueType());
    }
    if (type instanceof StructType struct) {
      return Arrays.stream(struct.fields()).anyMatch(field -> isCollated(field.dataType()));
    }
    return type instanceof StringType text
        && text.collationId() != ((StringType) DataTypes.StringType).collationId();
  }

  /** Returns whether a type has strings of a length: {@code char} or {@code varchar}. */
  public static boolean hasTextLength(DataType type) {
    return !withoutTextLength(type).catalogString().equals(type.catalogString());
  }

  /** Returns a type with {@code string} in place of {@code char} and {@code varchar}. */
  public static DataType withoutTextLength(DataType type) {
    if (type instanceof ArrayType array) {
      return new ArrayType(withoutTextLength(array.elementType()), array.containsNull());
    }
    if (type instanceof MapType map) {
      return new MapType(
          withoutTextLength(map.keyType()),
          withoutTextLength(map.valueType()),
          map.valueContainsNull());
    }
    if (type instanceof StructType struct) {
      StructType fields = new StructType();
      for (StructField field : struct.fields()) {
        fields = fields.add(field.name(), withoutTextLength(field.dataType()), field.nullable());
      }
      return fields;
    }
    return type instanceof CharType || type instanceof VarcharType ? DataTypes.StringType : type;
  }

  /**
   * Returns the SQL type of a slice of {@code rank} dimensions: the element type, or nested arrays.
   */
  public static DataType slice(DType dtype, int rank) {
    DataType type = element(dtype);
    for (int d = 0; d < rank; d++) {
      type = new ArrayType(type, false);
    }
    return type;
  }

  /** Returns the dtype whose elements are of {@code type}; empty if there is none. */
  public static Optional<DType> dtype(DataType type) {
    return Arrays.stream(DType.values())
        .filter(dtype -> NATURAL.contains(dtype) && isOf(type, element(dtype)))
        .filter(dtype -> width(type) == width(element(dtype)))
        .findFirst();
  }

  /**
   * Checks that values of {@code type} are slices of this shape: arrays nested as deep as the
   * slice, or one array of all elements. Element types may widen to the dtype's without loss.
   *
   * @param column the column name for the message
   * @throws io.sparknd.tensor.SparkNdException if values of {@code type} are not such slices
   */
  public static void requireSlices(String column, DataType type, DType dtype, Shape slice) {
    DataType wanted = slice(dtype, levels(type, slice));
    requireParts(column, type);
    if (!isOf(type, wanted)) {
      throw ClusterErrors.valueColumnType(
          column, type.simpleString(), dtype, slice, wanted.simpleString());
    }
  }

  /** The nesting depth of the value column: the slice's rank, or 1 if flat. */
  private static int levels(DataType type, Shape slice) {
    boolean flat = type instanceof ArrayType array && !(array.elementType() instanceof ArrayType);
    return flat && slice.rank() > 0 ? 1 : slice.rank();
  }

  /** Whether {@code type} is {@code wanted}, or numbers that widen to it without loss. */
  private static boolean isOf(DataType type, DataType wanted) {
    if (type instanceof ArrayType from && wanted instanceof ArrayType to) {
      return isOf(from.elementType(), to.elementType());
    }
    if (type instanceof StructType from && wanted instanceof StructType to) {
      return from.length() == to.length()
          && areParts(from)
          && IntStream.range(0, from.length())
              .allMatch(i -> from.apply(i).dataType().equals(to.apply(i).dataType()));
    }
    return type.equals(wanted)
        || width(type) > 0 && width(type) < width(wanted) && keepsValues(type, wanted);
  }

  /**
   * Checks that pairs of floating-point numbers are {@code struct<re, im>}. Taken by position, the
   * parts of {@code struct<im, re>} would be exchanged unnoticed.
   *
   * @throws io.sparknd.tensor.SparkNdException if the fields have other names
   */
  public static void requireParts(String column, DataType type) {
    if (hasOtherParts(type)) {
      throw ClusterErrors.complexParts(column, type.simpleString());
    }
  }

  private static boolean hasOtherParts(DataType type) {
    if (type instanceof ArrayType array) {
      return hasOtherParts(array.elementType());
    }
    return type instanceof StructType parts
        && parts.length() == 2
        && parts.apply(0).dataType() instanceof FractionalType
        && parts.apply(1).dataType() instanceof FractionalType
        && !areParts(parts);
  }

  /** Whether two fields are the parts of a complex number by their names, or have no own names. */
  public static boolean areParts(StructType type) {
    List<String> names = names(type);
    return names.equals(PARTS) || names.equals(unnamed(PARTS.size()));
  }

  /** Returns the names of fields in lower case, in which Spark compares them. */
  static List<String> names(StructType type) {
    return Arrays.stream(type.fieldNames()).map(name -> name.toLowerCase(Locale.ROOT)).toList();
  }

  /** Returns the names that Spark gives fields without names, as in {@code struct(1F, 2F)}. */
  static List<String> unnamed(int count) {
    return IntStream.rangeClosed(1, count).mapToObj(place -> "col" + place).toList();
  }

  private static boolean keepsValues(DataType type, DataType wanted) {
    boolean fromInteger = InternalRows.isInteger(type);
    boolean toInteger = InternalRows.isInteger(wanted);
    return fromInteger == toInteger || fromInteger && 2 * width(type) <= width(wanted);
  }

  private static int width(DataType type) {
    boolean floating = type.equals(DataTypes.FloatType) || type.equals(DataTypes.DoubleType);
    return floating || InternalRows.isInteger(type) ? type.defaultSize() : 0;
  }

  /** Returns whether Spark orders values of a type; it has no order of maps, for example. */
  public static boolean hasOrder(DataType type) {
    return RowOrdering.isOrderable(type);
  }

  /** Returns whether values of a column are times: timestamps, dates, or only NULL. */
  public static boolean isTime(DataType type) {
    return type.equals(DataTypes.TimestampType)
        || type.equals(DataTypes.TimestampNTZType)
        || type.equals(DataTypes.DateType)
        || type.equals(DataTypes.NullType);
  }
}
