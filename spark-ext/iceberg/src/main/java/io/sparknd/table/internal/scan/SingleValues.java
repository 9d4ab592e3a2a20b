/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.scan;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.apache.iceberg.util.UUIDUtil;
import org.apache.parquet.column.values.ValuesReader;
import org.apache.spark.sql.execution.vectorized.WritableColumnVector;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.types.DecimalType;

/** Reads values of any encoding, one by one. */
record SingleValues(ValuesReader values, VectorElement element) implements PageValues {
  @Override
  public void read(int count, WritableColumnVector target, int at) {
    int end = at + count;
    switch (element) {
      case BOOLEAN -> {
        for (int i = at; i < end; i++) {
          target.putBoolean(i, values.readBoolean());
        }
      }
      case INT -> {
        for (int i = at; i < end; i++) {
          target.putInt(i, values.readInteger());
        }
      }
      case INT_AS_LONG -> {
        for (int i = at; i < end; i++) {
          target.putLong(i, values.readInteger());
        }
      }
      case LONG -> {
        for (int i = at; i < end; i++) {
          target.putLong(i, values.readLong());
        }
      }
      default -> readOthers(target, at, end);
    }
  }

  private void readOthers(WritableColumnVector target, int at, int end) {
    switch (element) {
      case FLOAT -> {
        for (int i = at; i < end; i++) {
          target.putFloat(i, values.readFloat());
        }
      }
      case FLOAT_AS_DOUBLE -> {
        for (int i = at; i < end; i++) {
          target.putDouble(i, values.readFloat());
        }
      }
      case DOUBLE -> {
        for (int i = at; i < end; i++) {
          target.putDouble(i, values.readDouble());
        }
      }
      case BYTES, UUID -> readBytes(target, at, end);
      default -> readDecimals(target, at, end);
    }
  }

  private void readBytes(WritableColumnVector target, int at, int end) {
    for (int i = at; i < end; i++) {
      ByteBuffer bytes = values.readBytes().toByteBuffer();
      if (element == VectorElement.UUID) {
        target.putByteArray(
            i, UUIDUtil.convert(bytes).toString().getBytes(StandardCharsets.US_ASCII));
      } else if (bytes.hasArray()) {
        target.putByteArray(
            i, bytes.array(), bytes.arrayOffset() + bytes.position(), bytes.remaining());
      } else {
        byte[] copy = new byte[bytes.remaining()];
        bytes.get(copy);
        target.putByteArray(i, copy);
      }
    }
  }

  private void readDecimals(WritableColumnVector target, int at, int end) {
    DecimalType type = (DecimalType) target.dataType();
    for (int i = at; i < end; i++) {
      BigInteger unscaled =
          switch (element) {
            case INT_DECIMAL -> BigInteger.valueOf(values.readInteger());
            case LONG_DECIMAL -> BigInteger.valueOf(values.readLong());
            default -> new BigInteger(values.readBytes().getBytes());
          };
      Decimal decimal =
          Decimal.apply(new BigDecimal(unscaled, type.scale()), type.precision(), type.scale());
      target.putDecimal(i, decimal, type.precision());
    }
  }
}
