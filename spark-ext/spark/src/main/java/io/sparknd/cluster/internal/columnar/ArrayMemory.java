/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.columnar;

import io.sparknd.tensor.DType;
import io.sparknd.tensor.Storage;
import org.apache.spark.unsafe.Platform;

/** Computes where units are in the memory of a storage's Java arrays, for copies as memory. */
public final class ArrayMemory {
  private ArrayMemory() {}

  /** Returns whether Spark stores elements of the dtype's SQL type in the dtype's own form. */
  static boolean isPlain(DType dtype) {
    return switch (dtype) {
      case BOOL, INT8, INT16, INT32, INT64, FLOAT32, FLOAT64 -> true;
      default -> false;
    };
  }

  /** Returns the distance in bytes of {@code unit} from the start of the array object. */
  public static long byteOffset(Storage storage, long unit) {
    return first(storage) + unit * storage.bytes();
  }

  private static long first(Storage storage) {
    return switch (storage) {
      case BYTE -> Platform.BYTE_ARRAY_OFFSET;
      case SHORT -> Platform.SHORT_ARRAY_OFFSET;
      case INT -> Platform.INT_ARRAY_OFFSET;
      case LONG -> Platform.LONG_ARRAY_OFFSET;
      case FLOAT -> Platform.FLOAT_ARRAY_OFFSET;
      case DOUBLE -> Platform.DOUBLE_ARRAY_OFFSET;
      case STRING -> throw new AssertionError();
    };
  }
}
