/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.udf.catalyst;

import io.sparknd.cluster.internal.columnar.ArrayMemory;
import io.sparknd.cluster.internal.columnar.StringElements;
import io.sparknd.tensor.DType;
import io.sparknd.udf.UdfErrors;
import org.apache.spark.sql.catalyst.expressions.SpecializedGetters;
import org.apache.spark.sql.catalyst.expressions.UnsafeArrayData;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.unsafe.Platform;
import org.apache.spark.unsafe.types.UTF8String;

/** Copies the elements of innermost arrays into an array of a dtype's storage. */
final class InnermostElements {
  private static final int BITS = 64;

  private InnermostElements() {}

  /** Returns the position of the first null in {@code array}, or -1. */
  static int firstNull(ArrayData array) {
    int length = array.numElements();
    if (array instanceof UnsafeArrayData unsafe && !hasNullBits(unsafe, length)) {
      return -1;
    }
    for (int i = 0; i < length; i++) {
      if (array.isNullAt(i)) {
        return i;
      }
    }
    return -1;
  }

  private static boolean hasNullBits(UnsafeArrayData array, int length) {
    Object base = array.getBaseObject();
    long at = array.getBaseOffset() + Long.BYTES;
    for (int i = 0; i < length; i += BITS, at += Long.BYTES) {
      if (Platform.getLong(base, at) != 0) {
        return true;
      }
    }
    return false;
  }

  /** Copies the elements, none of them null, to {@code target} from {@code at} on. */
  static void copy(ArrayData array, DType dtype, Object target, int at) {
    int length = array.numElements();
    if (array instanceof UnsafeArrayData unsafe && dtype != DType.STRING) {
      long header = UnsafeArrayData.calculateHeaderPortionInBytes((long) length);
      int bytes = dtype.bytes();
      MemoryCopies.copy(
          unsafe.getBaseObject(),
          unsafe.getBaseOffset() + header,
          target,
          ArrayMemory.byteOffset(dtype.storage(), 0) + (long) at * bytes,
          (long) length * bytes);
      return;
    }
    for (int i = 0; i < length; i++) {
      copy(array, i, dtype, target, at + i);
    }
  }

  /** Copies element {@code i}. */
  private static void copy(SpecializedGetters from, int i, DType dtype, Object target, int at) {
    switch (dtype) {
      case BOOL -> ((byte[]) target)[at] = (byte) (from.getBoolean(i) ? 1 : 0);
      case INT8 -> ((byte[]) target)[at] = from.getByte(i);
      case INT16 -> ((short[]) target)[at] = from.getShort(i);
      case INT32 -> ((int[]) target)[at] = from.getInt(i);
      case INT64 -> ((long[]) target)[at] = from.getLong(i);
      case FLOAT32 -> ((float[]) target)[at] = from.getFloat(i);
      case FLOAT64 -> ((double[]) target)[at] = from.getDouble(i);
      case STRING -> ((String[]) target)[at] = string(from.getUTF8String(i));
      default -> throw new AssertionError(dtype);
    }
  }

  /**
   * Returns a string as an element.
   *
   * @throws io.sparknd.tensor.SparkNdException if its bytes are not UTF-8
   */
  static String string(UTF8String value) {
    String string = StringElements.of(value);
    if (string == null) {
      throw UdfErrors.notUtf8(value.getBytes());
    }
    return string;
  }

  /** Copies the unscaled values of decimals, none of them null. */
  static void unscaled(ArrayData array, DecimalType type, long[] target, int at) {
    for (int i = 0; i < array.numElements(); i++) {
      target[at + i] = array.getDecimal(i, type.precision(), type.scale()).toUnscaledLong();
    }
  }

  /** Copies integers of any width, none of them null, as int64. */
  static void widen(ArrayData array, DType dtype, long[] target, int at) {
    int length = array.numElements();
    switch (dtype) {
      case INT8 -> {
        for (int i = 0; i < length; i++) {
          target[at + i] = array.getByte(i);
        }
      }
      case INT16 -> {
        for (int i = 0; i < length; i++) {
          target[at + i] = array.getShort(i);
        }
      }
      case INT32 -> {
        for (int i = 0; i < length; i++) {
          target[at + i] = array.getInt(i);
        }
      }
      default -> copy(array, DType.INT64, target, at);
    }
  }
}
