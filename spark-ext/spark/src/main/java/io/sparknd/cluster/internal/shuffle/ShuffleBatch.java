/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.shuffle;

import io.sparknd.cluster.internal.partition.BlockLayout;
import io.sparknd.cluster.internal.spark.ShuffleValue;
import io.sparknd.tensor.Storage;
import org.jspecify.annotations.Nullable;

/**
 * Rows for one partition in the form in which they are shuffled, each with a number that is local
 * to the partition: that of a piece of a tensor, or, for a task that folds hot slices, of a slot.
 * What a row holds depends on the shuffle: the values of an update, the place that a request is
 * for, a requested slice, or the bytes of an index row.
 */
public final class ShuffleBatch implements ShuffleValue {
  /**
   * Bytes of a batch in a file beside its arrays: its key, the lengths, and which arrays it has.
   */
  private static final int HEADER_BYTES = 6 * Integer.BYTES;

  private final Storage storage;
  private final int count;
  private final long[] locals;
  private final int @Nullable [] rows;
  private final Object payload;
  private final int payloadUnits;
  private volatile boolean written;

  /**
   * @param storage the storage of the payload
   * @param count the number of local numbers
   * @param locals at least {@code count} of them
   * @param rows the payload row of each number, or null if number {@code i} has row {@code i}
   * @param payload rows, one after the other
   * @param payloadUnits the number of valid units in the payload
   */
  public ShuffleBatch(
      Storage storage,
      int count,
      long[] locals,
      int @Nullable [] rows,
      Object payload,
      int payloadUnits) {
    this.storage = storage;
    this.count = count;
    this.locals = locals;
    this.rows = rows;
    this.payload = payload;
    this.payloadUnits = payloadUnits;
  }

  public Storage storage() {
    return storage;
  }

  public int count() {
    return count;
  }

  public long[] locals() {
    return locals;
  }

  public int @Nullable [] rows() {
    return rows;
  }

  public Object payload() {
    return payload;
  }

  public int payloadUnits() {
    return payloadUnits;
  }

  /** Marks the batch as serialized, so that its arrays may be reused. */
  void markWritten() {
    written = true;
  }

  boolean isWritten() {
    return written;
  }

  /** Returns the bytes of the valid part of the batch; strings are estimated. */
  public long bytes() {
    long indices = (long) count * (rows == null ? Long.BYTES : Long.BYTES + Integer.BYTES);
    return indices + (long) payloadUnits * BlockLayout.unitBytes(storage);
  }

  @Override
  public long recordBytes() {
    return HEADER_BYTES + bytes();
  }

  /** Returns the approximate memory size of the batch with its whole arrays. */
  @Override
  public long estimatedSize() {
    int unit = storage == Storage.STRING ? 48 : storage.bytes();
    long indices = 8L * locals.length + (rows == null ? 0 : 4L * rows.length);
    return 64 + indices + (long) storage.length(payload) * unit;
  }
}
