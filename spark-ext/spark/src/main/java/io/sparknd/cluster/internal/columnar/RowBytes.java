/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.columnar;

import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.unsafe.Platform;

/**
 * Reads the rows of a query as raw bytes, a multiple of 8. The rows are {@code UnsafeRow}s, which
 * Spark's own {@code collect} relies on, too.
 */
public final class RowBytes {
  private RowBytes() {}

  public static int length(InternalRow row) {
    return ((UnsafeRow) row).getSizeInBytes();
  }

  /** Returns a hash of the bytes. */
  public static int hash(InternalRow row) {
    return row.hashCode();
  }

  /** Copies {@code row} to {@code [at, at + length)} of {@code target}. */
  public static void copy(InternalRow row, byte[] target, int at) {
    ((UnsafeRow) row).writeToMemory(target, Platform.BYTE_ARRAY_OFFSET + (long) at);
  }
}
