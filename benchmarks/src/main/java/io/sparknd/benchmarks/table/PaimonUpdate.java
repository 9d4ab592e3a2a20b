/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.table;

import org.apache.paimon.data.BinaryString;
import org.apache.paimon.data.Blob;
import org.apache.paimon.data.Decimal;
import org.apache.paimon.data.InternalArray;
import org.apache.paimon.data.InternalMap;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.data.InternalVector;
import org.apache.paimon.data.Timestamp;
import org.apache.paimon.data.variant.Variant;
import org.apache.paimon.types.RowKind;
import org.apache.spark.sql.catalyst.util.ArrayData;

/** A row of Spark with a key and values, as a row of Paimon with a field for each value. */
final class PaimonUpdate implements InternalRow {
  private final KeyedValues values;
  private final int keyOrdinal;
  private org.apache.spark.sql.catalyst.InternalRow row;
  private ArrayData array;
  private RowKind kind = RowKind.INSERT;

  /**
   * @param keyOrdinal the ordinal of the key in rows of Spark; the values follow
   */
  PaimonUpdate(KeyedValues values, int keyOrdinal) {
    this.values = values;
    this.keyOrdinal = keyOrdinal;
  }

  /** Returns this row with the contents of another one. */
  PaimonUpdate of(org.apache.spark.sql.catalyst.InternalRow from) {
    row = from;
    array = values == KeyedValues.VECTOR ? from.getArray(keyOrdinal + 1) : null;
    return this;
  }

  @Override
  public int getFieldCount() {
    return 1 + values.width();
  }

  @Override
  public RowKind getRowKind() {
    return kind;
  }

  @Override
  public void setRowKind(RowKind to) {
    kind = to;
  }

  @Override
  public boolean isNullAt(int field) {
    return false;
  }

  @Override
  public BinaryString getString(int field) {
    return BinaryString.fromBytes(row.getUTF8String(keyOrdinal).getBytes());
  }

  @Override
  public float getFloat(int field) {
    return array.getFloat(field - 1);
  }

  @Override
  public long getLong(int field) {
    return row.getLong(keyOrdinal + field);
  }

  private static UnsupportedOperationException noSuchField(int field) {
    return new UnsupportedOperationException("field " + field);
  }

  @Override
  public boolean getBoolean(int field) {
    throw noSuchField(field);
  }

  @Override
  public byte getByte(int field) {
    throw noSuchField(field);
  }

  @Override
  public short getShort(int field) {
    throw noSuchField(field);
  }

  @Override
  public int getInt(int field) {
    throw noSuchField(field);
  }

  @Override
  public double getDouble(int field) {
    throw noSuchField(field);
  }

  @Override
  public Decimal getDecimal(int field, int precision, int scale) {
    throw noSuchField(field);
  }

  @Override
  public Timestamp getTimestamp(int field, int precision) {
    throw noSuchField(field);
  }

  @Override
  public byte[] getBinary(int field) {
    throw noSuchField(field);
  }

  @Override
  public Variant getVariant(int field) {
    throw noSuchField(field);
  }

  @Override
  public Blob getBlob(int field) {
    throw noSuchField(field);
  }

  @Override
  public InternalArray getArray(int field) {
    throw noSuchField(field);
  }

  @Override
  public InternalVector getVector(int field) {
    throw noSuchField(field);
  }

  @Override
  public InternalMap getMap(int field) {
    throw noSuchField(field);
  }

  @Override
  public InternalRow getRow(int field, int fields) {
    throw noSuchField(field);
  }
}
