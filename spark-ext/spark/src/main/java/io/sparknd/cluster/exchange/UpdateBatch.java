/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.exchange;

import io.sparknd.cluster.layout.BlockLayout;
import io.sparknd.cluster.spark.KnownSize;
import io.sparknd.tensor.Storage;

/** Updates for one partition, as they are shuffled. */
public final class UpdateBatch implements KnownSize {
  private final Storage storage;
  private final int count;
  private final long[] offsets;
  private final int[] rows;
  private final Object payload;
  private final int payloadUnits;
  private volatile boolean written;

  /**
   * @param storage of the payload
   * @param count number of updates
   * @param offsets of pieces among those of the partition, {@code count} of them or more
   * @param rows the row of the payload that each update has, or null for row {@code i} at {@code i}
   * @param payload rows, one after the other
   * @param payloadUnits units of the payload that count
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

  /** Says that the batch is in a stream, so that whoever filled its arrays may fill them again. */
  void markWritten() {
    written = true;
  }

  boolean isWritten() {
    return written;
  }

  /** Bytes of what counts in the batch, of strings a guess. */
  public long bytes() {
    long indices = (long) count * (rows == null ? Long.BYTES : Long.BYTES + Integer.BYTES);
    return indices + (long) payloadUnits * BlockLayout.unitBytes(storage);
  }

  /** Bytes of the arrays. */
  @Override
  public long estimatedSize() {
    int unit = storage == Storage.STRING ? 48 : storage.bytes();
    long indices = 8L * offsets.length + (rows == null ? 0 : 4L * rows.length);
    return 64 + indices + (long) storage.length(payload) * unit;
  }
}
