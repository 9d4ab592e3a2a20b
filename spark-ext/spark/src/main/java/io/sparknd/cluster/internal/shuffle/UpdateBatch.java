/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.shuffle;

import io.sparknd.cluster.internal.partition.BlockLayout;
import io.sparknd.cluster.internal.spark.KnownSize;
import io.sparknd.tensor.Storage;

/** Updates for one partition in the form in which they are shuffled. */
public final class UpdateBatch implements KnownSize {
  private final Storage storage;
  private final int count;
  private final long[] offsets;
  private final int[] rows;
  private final Object payload;
  private final int payloadUnits;
  private volatile boolean written;

  /**
   * @param storage the storage of the payload
   * @param count the number of updates
   * @param offsets partition-local piece numbers, at least {@code count} of them
   * @param rows the payload row of each update, or null if update {@code i} has row {@code i}
   * @param payload rows, one after the other
   * @param payloadUnits the number of valid units in the payload
   */
  public UpdateBatch(
      Storage storage, int count, long[] offsets, int[] rows, Object payload, int payloadUnits) {
    this.storage = storage;
    this.count = count;
    this.offsets = offsets;
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

  public long[] offsets() {
    return offsets;
  }

  public int[] rows() {
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

  /** Returns the approximate memory size of the batch with its whole arrays. */
  @Override
  public long estimatedSize() {
    int unit = storage == Storage.STRING ? 48 : storage.bytes();
    long indices = 8L * offsets.length + (rows == null ? 0 : 4L * rows.length);
    return 64 + indices + (long) storage.length(payload) * unit;
  }
}
