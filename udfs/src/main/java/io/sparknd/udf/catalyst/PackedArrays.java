/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.udf.catalyst;

import io.sparknd.cluster.spark.ArrayMemory;
import io.sparknd.tensor.DType;
import org.apache.spark.sql.catalyst.expressions.UnsafeArrayData;
import org.apache.spark.unsafe.Platform;

/**
 * Nested arrays in the form that Spark keeps them in, read straight from their memory: no object
 * for each inner array.
 *
 * @param dims of the tensor that they should be
 */
record PackedArrays(DType dtype, long[] dims, Object target) {
  private static final int BITS = 64;

  /**
   * Copies all elements to the target.
   *
   * @return whether the arrays are of these dimensions and without nulls; if not, nobody must look
   *     at the target
   */
  boolean fill(UnsafeArrayData array) {
    return fill(array.getBaseObject(), array.getBaseOffset(), 0, 0) >= 0;
  }

  /** Returns where the next array's elements go, or -1. */
  private int fill(Object base, long start, int level, int at) {
    long length = dims[level];
    if (Platform.getLong(base, start) != length) {
      return -1;
    }
    long header = start + Long.BYTES;
    for (long i = 0; i < length; i += BITS, header += Long.BYTES) {
      if (Platform.getLong(base, header) != 0) {
        return -1;
      }
    }
    if (level == dims.length - 1) {
      long bytes = dtype.bytes();
      long to = ArrayMemory.offset(dtype.storage(), 0) + at * bytes;
      Memory.copy(base, header, target, to, length * bytes);
      return at + (int) length;
    }
    int next = at;
    for (long i = 0; i < length && next >= 0; i++) {
      // the upper half of the word is the inner array's offset from the start of this one
      long inner = Platform.getLong(base, header + i * Long.BYTES) >>> Integer.SIZE;
      next = fill(base, start + inner, level + 1, next);
    }
    return next;
  }
}
