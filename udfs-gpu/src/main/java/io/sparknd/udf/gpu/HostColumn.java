/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.udf.gpu;

import ai.rapids.cudf.DType;
import ai.rapids.cudf.HostColumnVectorCore;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarArray;
import org.apache.spark.sql.vectorized.ColumnarMap;
import org.apache.spark.unsafe.types.UTF8String;

/** A cuDF column in host memory as a Spark {@code ColumnVector}. It does not own the memory. */
final class HostColumn extends ColumnVector {
  private final HostColumnVectorCore column;

  /** Null if values are not arrays. */
  private final HostColumn elements;

  private HostColumn(DataType type, HostColumnVectorCore column, HostColumn elements) {
    super(type);
    this.column = column;
    this.elements = elements;
  }

  /** Wraps a column of a type that {@link CudfTypes#has}. */
  static HostColumn of(HostColumnVectorCore column) {
    if (!column.getType().equals(DType.LIST)) {
      return new HostColumn(CudfTypes.element(column.getType()), column, null);
    }
    HostColumn elements = of(column.getChildColumnView(0));
    return new HostColumn(new ArrayType(elements.dataType(), true), column, elements);
  }

  /** Returns the value of row {@code i}, which is not null, in the form that functions expect. */
  Object value(int i) {
    if (elements != null) {
      return getArray(i);
    }
    return switch (column.getType().getTypeId()) {
      case BOOL8 -> getBoolean(i);
      case INT8 -> getByte(i);
      case INT16 -> getShort(i);
      case INT32 -> getInt(i);
      case INT64 -> getLong(i);
      case FLOAT32 -> getFloat(i);
      default -> getDouble(i);
    };
  }

  @Override
  public void close() {
    // the creator of the column owns the memory
  }

  @Override
  public boolean hasNull() {
    return column.hasNulls();
  }

  @Override
  public int numNulls() {
    return (int) column.getNullCount();
  }

  @Override
  public boolean isNullAt(int i) {
    return column.isNull(i);
  }

  @Override
  public boolean getBoolean(int i) {
    return column.getBoolean(i);
  }

  @Override
  public byte getByte(int i) {
    return column.getByte(i);
  }

  @Override
  public short getShort(int i) {
    return column.getShort(i);
  }

  @Override
  public int getInt(int i) {
    return column.getInt(i);
  }

  @Override
  public long getLong(int i) {
    return column.getLong(i);
  }

  @Override
  public float getFloat(int i) {
    return column.getFloat(i);
  }

  @Override
  public double getDouble(int i) {
    return column.getDouble(i);
  }

  @Override
  public ColumnarArray getArray(int i) {
    int start = (int) column.getStartListOffset(i);
    return new ColumnarArray(elements, start, (int) column.getEndListOffset(i) - start);
  }

  @Override
  public ColumnVector getChild(int ordinal) {
    return elements;
  }

  @Override
  public ColumnarMap getMap(int i) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Decimal getDecimal(int i, int precision, int scale) {
    throw new UnsupportedOperationException();
  }

  @Override
  public UTF8String getUTF8String(int i) {
    throw new UnsupportedOperationException();
  }

  @Override
  public byte[] getBinary(int i) {
    throw new UnsupportedOperationException();
  }
}
