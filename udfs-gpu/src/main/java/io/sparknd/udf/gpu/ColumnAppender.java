/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.udf.gpu;

import ai.rapids.cudf.HostColumnVector.ColumnBuilder;
import io.sparknd.kernel.KernelErrors;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;

/**
 * Appends values in Spark's internal form to a column in host memory. It counts them, because
 * cuDF's builder writes past its buffers if a column becomes too long.
 */
final class ColumnAppender {
  private final ColumnBuilder column;
  private final DataType type;
  private final int rows;
  private final long limit;

  /** Per level, the inner lists or elements that were appended. */
  private final long[] counts;

  /**
   * @param rows the rows of the batch, for messages
   * @param limit the most lists of a level, or elements
   */
  ColumnAppender(ColumnBuilder column, DataType type, int rows, long limit) {
    this.column = column;
    this.type = type;
    this.rows = rows;
    this.limit = limit;
    this.counts = new long[depth(type)];
  }

  private static int depth(DataType type) {
    return type instanceof ArrayType array ? 1 + depth(array.elementType()) : 0;
  }

  void appendNull() {
    column.appendNull();
  }

  /**
   * Appends a non-null value.
   *
   * @throws io.sparknd.tensor.SparkNdException if the column has no room for it
   */
  void append(Object value) {
    if (type instanceof ArrayType array) {
      appendArray(column, array.elementType(), (ArrayData) value, 0);
    } else {
      appendElement(column, value);
    }
  }

  private void appendArray(ColumnBuilder to, DataType element, ArrayData values, int depth) {
    count(depth, values.numElements());
    ColumnBuilder child = to.getChild(0);
    for (int i = 0; i < values.numElements(); i++) {
      if (values.isNullAt(i)) { // of checked casts, whose result the next function refuses
        child.appendNull();
      } else if (element instanceof ArrayType inner) {
        appendArray(child, inner.elementType(), values.getArray(i), depth + 1);
      } else {
        appendElement(child, element, values, i);
      }
    }
    to.endList();
  }

  private void count(int depth, int more) {
    counts[depth] += more;
    if (counts[depth] > limit) {
      throw KernelErrors.batchTooLarge(rows, limit);
    }
  }

  private static void appendElement(ColumnBuilder to, DataType type, ArrayData from, int i) {
    if (type.equals(DataTypes.FloatType)) {
      to.append(from.getFloat(i));
    } else if (type.equals(DataTypes.DoubleType)) {
      to.append(from.getDouble(i));
    } else if (type.equals(DataTypes.IntegerType)) {
      to.append(from.getInt(i));
    } else if (type.equals(DataTypes.LongType)) {
      to.append(from.getLong(i));
    } else {
      appendElement(to, from.get(i, type));
    }
  }

  private static void appendElement(ColumnBuilder to, Object value) {
    if (value instanceof Boolean bool) {
      to.append(bool);
    } else if (value instanceof Byte number) {
      to.append(number);
    } else if (value instanceof Short number) {
      to.append(number);
    } else if (value instanceof Integer number) {
      to.append(number);
    } else if (value instanceof Long number) {
      to.append(number);
    } else if (value instanceof Float number) {
      to.append(number);
    } else {
      to.append((double) value);
    }
  }
}
