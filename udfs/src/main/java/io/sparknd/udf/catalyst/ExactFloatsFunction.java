/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.udf.catalyst;

import io.sparknd.tensor.DType;
import io.sparknd.tensor.HalfFloats;
import io.sparknd.udf.UdfErrors;
import java.math.BigDecimal;
import java.util.regex.Pattern;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.DoubleType;
import org.apache.spark.sql.types.IntegerType;
import org.apache.spark.sql.types.LongType;
import org.apache.spark.sql.types.ShortType;
import org.apache.spark.sql.types.StringType;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * Returns a tensor unchanged if an implicit cast of its elements to floats keeps them. Spark's cast
 * rounds integers, and makes large numbers infinite, without an error. Fractions may be rounded.
 */
public final class ExactFloatsFunction extends RowFunction {
  private static final long serialVersionUID = 1;
  private static final Pattern DIGITS = Pattern.compile("[+-]?\\d+");
  private static final Pattern DIGIT = Pattern.compile("\\d");

  private final String argument;
  private final DType dtype;

  /**
   * Creates the function.
   *
   * @param argument for messages
   * @param type of the tensor
   * @param dtype of the floats
   */
  ExactFloatsFunction(String argument, DataType type, DType dtype) {
    super("exact_floats", type, argument, dtype);
    this.argument = argument;
    this.dtype = dtype;
  }

  /** Whether a cast of the elements of {@code type} to {@code dtype} may change them. */
  static boolean isNeeded(DataType type, DType dtype) {
    if (dtype.kind() != DType.Kind.FLOAT) {
      return false;
    }
    DataType element = type;
    while (inner(element) != null) {
      element = inner(element);
    }
    boolean isHalf = HalfFloats.isHalf(dtype);
    return element instanceof LongType
        || element instanceof StringType
        || element instanceof DecimalType decimal && decimal.scale() <= 0
        || element instanceof ShortType && isHalf
        || element instanceof IntegerType && dtype != DType.FLOAT64
        || element instanceof DoubleType && dtype == DType.FLOAT32;
  }

  /** Returns the type of the values inside of a tensor type; null if {@code type} is an element. */
  private static DataType inner(DataType type) {
    if (type instanceof ArrayType array) {
      return array.elementType();
    }
    boolean isShaped =
        type instanceof StructType struct
            && struct.length() == 2
            && struct.fields()[1].dataType() instanceof ArrayType;
    return isShaped ? ((StructType) type).fields()[1].dataType() : null;
  }

  @Override
  boolean isImplicit() {
    return true;
  }

  @Override
  public int arity() {
    return 1;
  }

  @Override
  public Object call(Object... row) {
    return apply(row[0]);
  }

  /** Called by Spark. */
  public Object apply(Object tensor) {
    check(tensor, dataType());
    return tensor;
  }

  private void check(Object value, DataType type) {
    if (type instanceof ArrayType array) {
      checkAll((ArrayData) value, array.elementType());
    } else if (inner(type) instanceof ArrayType values) {
      InternalRow row = (InternalRow) value;
      if (!row.isNullAt(1)) {
        checkAll(row.getArray(1), values.elementType());
      }
    } else if (!isKept(value)) {
      throw UdfErrors.castChangesValue(argument, value.toString(), dtype);
    }
  }

  /** Leaves nulls to the reader of the tensor. */
  private void checkAll(ArrayData array, DataType element) {
    for (int i = 0; i < array.numElements(); i++) {
      if (!array.isNullAt(i)) {
        check(array.get(i, element), element);
      }
    }
  }

  private boolean isKept(Object element) {
    if (element instanceof Double number) {
      return number.isInfinite() || !Float.isInfinite(number.floatValue());
    }
    if (element instanceof Decimal decimal) {
      return holds(decimal.toJavaBigDecimal());
    }
    if (element instanceof UTF8String string) {
      return isKept(string.toString().trim());
    }
    return holds(((Number) element).longValue());
  }

  private boolean isKept(String text) {
    try {
      double nearest = dtype == DType.FLOAT32 ? Float.parseFloat(text) : Double.parseDouble(text);
      boolean overflows = Double.isInfinite(nearest) && DIGIT.matcher(text).find();
      return !overflows && (!DIGITS.matcher(text).matches() || holds(new BigDecimal(text)));
    } catch (NumberFormatException e) {
      return true; // the cast reports it
    }
  }

  private boolean holds(long integer) {
    double nearest = integer;
    return nearest != 0x1p63 && (long) nearest == integer && holds(nearest);
  }

  private boolean holds(BigDecimal integer) {
    double nearest = integer.doubleValue();
    return !Double.isInfinite(nearest)
        && new BigDecimal(nearest).compareTo(integer) == 0
        && holds(nearest);
  }

  private boolean holds(double number) {
    return dtype == DType.FLOAT64 || HalfFloats.rounded(dtype, (float) number) == number;
  }
}
