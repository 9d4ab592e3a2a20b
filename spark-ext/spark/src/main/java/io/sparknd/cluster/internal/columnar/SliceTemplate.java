/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.columnar;

import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.Storage;
import org.apache.spark.sql.catalyst.expressions.UnsafeArrayData;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.unsafe.Platform;

/**
 * A reusable row of which only the fixed-length columns and the elements of the slice are
 * rewritten. For dtypes whose elements Spark stores in the dtype's own form.
 */
final class SliceTemplate {
  private final byte[] bytes;
  private final UnsafeRow row;
  private final int[] runs;
  private final int runBytes;
  private final boolean hasSingles;
  private final Storage storage;

  /**
   * @param any a row of the right lengths, which is copied
   * @param ordinal position of the slice column
   */
  SliceTemplate(UnsafeRow any, int ordinal, DType dtype, Shape slice) {
    this.bytes = any.getBytes();
    this.row = new UnsafeRow(any.numFields());
    row.pointTo(bytes, bytes.length);
    this.storage = dtype.storage();
    int rank = slice.rank();
    this.runBytes = storage.bytes() * (rank == 0 ? 1 : (int) slice.dim(rank - 1));
    this.hasSingles = runBytes == storage.bytes();
    this.runs = new int[(int) slice.first(Math.max(0, rank - 1)).elements()];
    if (rank == 0) {
      runs[0] = UnsafeRow.calculateBitSetWidthInBytes(any.numFields()) + ordinal * Long.BYTES;
    } else if (slice.elements() > 0) {
      addRuns(row.getArray(ordinal), rank - 1, 0);
    }
  }

  static boolean isFor(DType dtype) {
    return switch (dtype) {
      case INT8, INT16, INT32, INT64, FLOAT32, FLOAT64 -> true;
      default -> false;
    };
  }

  /**
   * Records where the elements of the innermost arrays of {@code array} are; returns the number of
   * the next run.
   */
  private int addRuns(UnsafeArrayData array, int levels, int run) {
    if (levels == 0) {
      long header = UnsafeArrayData.calculateHeaderPortionInBytes((long) array.numElements());
      runs[run] = (int) (array.getBaseOffset() + header - Platform.BYTE_ARRAY_OFFSET);
      return run + 1;
    }
    int next = run;
    for (int i = 0; i < array.numElements(); i++) {
      next = addRuns(array.getArray(i), levels - 1, next);
    }
    return next;
  }

  /** Writes the slice that begins at {@code unit} of {@code array} to its column. */
  void putSlice(Object array, int unit) {
    long from = ArrayMemory.byteOffset(storage, unit);
    for (int run : runs) {
      long to = Platform.BYTE_ARRAY_OFFSET + (long) run;
      if (hasSingles) {
        putUnit(array, from, to);
      } else {
        Platform.copyMemory(array, from, bytes, to, runBytes);
      }
      from += runBytes;
    }
  }

  /** Copies the bits of one unit, which takes less time than a call that copies memory. */
  private void putUnit(Object array, long from, long to) {
    switch (runBytes) {
      case Byte.BYTES -> Platform.putByte(bytes, to, Platform.getByte(array, from));
      case Short.BYTES -> Platform.putShort(bytes, to, Platform.getShort(array, from));
      case Integer.BYTES -> Platform.putInt(bytes, to, Platform.getInt(array, from));
      case Long.BYTES -> Platform.putLong(bytes, to, Platform.getLong(array, from));
      default -> throw new AssertionError(runBytes);
    }
  }

  /**
   * Copies {@code count} words at {@code from} of a row to byte {@code to}; in a loop, since they
   * are few.
   */
  void putWords(Object base, long from, int to, int count) {
    for (int i = 0; i < count; i++) {
      long at = (long) i * Long.BYTES;
      Platform.putLong(
          bytes, Platform.BYTE_ARRAY_OFFSET + to + at, Platform.getLong(base, from + at));
    }
  }

  /** Returns the row in its current state. */
  UnsafeRow row() {
    return row;
  }
}
