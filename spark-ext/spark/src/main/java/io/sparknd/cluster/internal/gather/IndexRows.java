/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.gather;

import io.sparknd.cluster.internal.shuffle.BatchKey;
import io.sparknd.cluster.internal.shuffle.UpdateBatch;
import io.sparknd.tensor.Storage;
import java.io.Serializable;
import java.util.Arrays;
import scala.Tuple2;

/**
 * A batch of index rows that is sent through the driver. It is a class and not the record {@link
 * UpdateBatch}, since Kryo cannot instantiate records.
 */
final class IndexRows implements Serializable {
  private static final long serialVersionUID = 1;

  private final int owner;
  private final long[] offsets;
  private final int[] starts;
  private final byte[] bytes;

  /**
   * @param batch emitted by {@link IndexRowBinner}
   */
  IndexRows(Tuple2<BatchKey, UpdateBatch> batch) {
    UpdateBatch rows = batch._2();
    this.owner = batch._1().partition();
    this.offsets = Arrays.copyOf(rows.offsets(), rows.count());
    this.starts = Arrays.copyOf(rows.rows(), rows.count());
    this.bytes = Arrays.copyOf((byte[]) rows.payload(), rows.payloadUnits());
  }

  /** The partition that owns the slices. */
  int owner() {
    return owner;
  }

  long size() {
    return 12L * offsets.length + bytes.length;
  }

  UpdateBatch batch() {
    return new UpdateBatch(Storage.BYTE, offsets.length, offsets, starts, bytes, bytes.length);
  }
}
