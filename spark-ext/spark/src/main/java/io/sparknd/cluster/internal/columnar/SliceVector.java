/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.columnar;

import io.sparknd.tensor.Shape;
import org.apache.spark.sql.execution.vectorized.OnHeapColumnVector;
import org.apache.spark.sql.execution.vectorized.WritableColumnVector;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarArray;
import org.apache.spark.sql.vectorized.ColumnarMap;
import org.apache.spark.unsafe.types.UTF8String;
import org.jspecify.annotations.Nullable;

/** A column of slices without nulls, back to back in one array. */
public final class SliceVector extends ColumnVector {
  private final Shape slice;
  private final int rows;
  private final Object units;

  /** The column in Spark's own form; created when a row is first read. */
  private @Nullable WritableColumnVector sparkVector;

  /**
   * @param type arrays nested as deep as the slice, of int, bigint, float or double
   * @param units one unit per element
   */
  public SliceVector(DataType type, Shape slice, int rows, Object units) {
    super(type);
    this.slice = slice;
    this.rows = rows;
    this.units = units;
  }

  int rows() {
    return rows;
  }

  /** Returns the slices of all rows, back to back, in an array of the dtype's storage. */
  Object units() {
    return units;
  }

  /** Returns a column of {@code rows} plain values. */
  public static WritableColumnVector plain(DataType type, int rows, Object units) {
    WritableColumnVector vector = new OnHeapColumnVector(rows, type);
    put(vector, rows, units);
    return vector;
  }

  private static void put(WritableColumnVector vector, int count, Object units) {
    if (units instanceof float[] floats) {
      vector.putFloats(0, count, floats, 0);
    } else if (units instanceof double[] doubles) {
      vector.putDoubles(0, count, doubles, 0);
    } else if (units instanceof int[] ints) {
      vector.putInts(0, count, ints, 0);
    } else {
      vector.putLongs(0, count, (long[]) units, 0);
    }
  }

  @Override
  public ColumnarArray getArray(int row) {
    return sparkVector().getArray(row);
  }

  private WritableColumnVector sparkVector() {
    if (sparkVector == null) {
      WritableColumnVector vector = new OnHeapColumnVector(rows, type);
      fill(vector, rows, 0);
      sparkVector = vector;
    }
    return sparkVector;
  }

  private void fill(WritableColumnVector vector, int count, int level) {
    if (!(vector.dataType() instanceof ArrayType)) {
      put(vector, count, units);
      return;
    }
    int dim = (int) slice.dim(level);
    for (int i = 0; i < count; i++) {
      vector.putArray(i, i * dim, dim);
    }
    vector.getChild(0).reserve(count * dim);
    fill(vector.getChild(0), count * dim, level + 1);
  }

  @Override
  public boolean hasNull() {
    return false;
  }

  @Override
  public int numNulls() {
    return 0;
  }

  @Override
  public boolean isNullAt(int row) {
    return false;
  }

  @Override
  public void close() {}

  @Override
  public boolean getBoolean(int row) {
    return sparkVector().getBoolean(row);
  }

  @Override
  public byte getByte(int row) {
    return sparkVector().getByte(row);
  }

  @Override
  public short getShort(int row) {
    return sparkVector().getShort(row);
  }

  @Override
  public int getInt(int row) {
    return sparkVector().getInt(row);
  }

  @Override
  public long getLong(int row) {
    return sparkVector().getLong(row);
  }

  @Override
  public float getFloat(int row) {
    return sparkVector().getFloat(row);
  }

  @Override
  public double getDouble(int row) {
    return sparkVector().getDouble(row);
  }

  @Override
  public ColumnarMap getMap(int row) {
    return sparkVector().getMap(row);
  }

  @Override
  public Decimal getDecimal(int row, int precision, int scale) {
    return sparkVector().getDecimal(row, precision, scale);
  }

  @Override
  public UTF8String getUTF8String(int row) {
    return sparkVector().getUTF8String(row);
  }

  @Override
  public byte[] getBinary(int row) {
    return sparkVector().getBinary(row);
  }

  @Override
  public ColumnVector getChild(int ordinal) {
    return sparkVector().getChild(ordinal);
  }
}
