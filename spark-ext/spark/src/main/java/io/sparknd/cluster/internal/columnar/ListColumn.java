/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.columnar;

import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.SpecializedGetters;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.jspecify.annotations.Nullable;

/**
 * A column of lists of numbers, or of plain numbers, each of which is read as a list of one. Use
 * one instance per task: it holds the list of the row read last.
 */
public abstract class ListColumn {
  private final int ordinal;
  private final boolean isPlain;
  private int count;

  private ListColumn(int ordinal, DataType type) {
    this.ordinal = ordinal;
    this.isPlain = isPlain(type);
  }

  /** Returns whether {@code type} is one of plain numbers. */
  public static boolean isPlain(DataType type) {
    return !(type instanceof ArrayType);
  }

  /** Returns whether {@link Integers} reads columns of {@code type}. */
  public static boolean areIntegers(DataType type) {
    return InternalRows.isInteger(element(type));
  }

  /** Returns whether {@link Numbers} reads columns of {@code type}. */
  public static boolean areNumbers(DataType type) {
    return element(type).equals(DataTypes.FloatType) || element(type).equals(DataTypes.DoubleType);
  }

  private static DataType element(DataType type) {
    return type instanceof ArrayType array ? array.elementType() : type;
  }

  /**
   * Reads the list of {@code row}.
   *
   * @return null, or the problem with the list, which then counts as empty
   */
  public final @Nullable String read(InternalRow row) {
    count = 0;
    if (row.isNullAt(ordinal)) {
      return "is null";
    }
    if (isPlain) {
      reserve(1);
      take(row, ordinal, 0);
      count = 1;
      return null;
    }
    return read(row.getArray(ordinal));
  }

  private @Nullable String read(ArrayData array) {
    int length = array.numElements();
    reserve(length);
    for (int i = 0; i < length; i++) {
      if (array.isNullAt(i)) {
        return "has a null at position " + i;
      }
      take(array, i, i);
    }
    count = length;
    return null;
  }

  /** Returns the length of the list. */
  public final int count() {
    return count;
  }

  /** Makes room for {@code length} elements; earlier elements may be lost. */
  abstract void reserve(int length);

  /** Copies element {@code i} of {@code from} to element {@code to} of the list. */
  abstract void take(SpecializedGetters from, int i, int to);

  static int larger(int length) {
    return (int) Math.min(Integer.MAX_VALUE - 8, Math.max(16, 2L * length));
  }

  /** A column of tinyint, smallint, int or bigint, or of lists of these. */
  public static final class Integers extends ListColumn {
    private final DataType type;
    private long[] values = new long[0];

    public Integers(int ordinal, DataType type) {
      super(ordinal, type);
      this.type = element(type);
    }

    /** Returns the list, from element 0 of the array on; valid until the next is read. */
    public long[] values() {
      return values;
    }

    @Override
    void reserve(int length) {
      values = values.length < length ? new long[larger(length)] : values;
    }

    @Override
    void take(SpecializedGetters from, int i, int to) {
      if (type.equals(DataTypes.LongType)) {
        values[to] = from.getLong(i);
      } else if (type.equals(DataTypes.IntegerType)) {
        values[to] = from.getInt(i);
      } else {
        values[to] = type.equals(DataTypes.ShortType) ? from.getShort(i) : from.getByte(i);
      }
    }
  }

  /** A column of float or double, or of lists of these. */
  public static final class Numbers extends ListColumn {
    private final boolean areFloats;
    private double[] values = new double[0];

    public Numbers(int ordinal, DataType type) {
      super(ordinal, type);
      this.areFloats = element(type).equals(DataTypes.FloatType);
    }

    /** Returns the list, from element 0 of the array on; valid until the next is read. */
    public double[] values() {
      return values;
    }

    @Override
    void reserve(int length) {
      values = values.length < length ? new double[larger(length)] : values;
    }

    @Override
    void take(SpecializedGetters from, int i, int to) {
      values[to] = areFloats ? from.getFloat(i) : from.getDouble(i);
    }
  }
}
