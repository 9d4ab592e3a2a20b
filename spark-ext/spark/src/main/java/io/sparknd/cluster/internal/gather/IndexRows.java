/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.gather;

import io.sparknd.cluster.internal.shuffle.BatchKey;
import io.sparknd.cluster.internal.shuffle.ShuffleBatch;
import io.sparknd.tensor.Storage;
import java.io.Serializable;
import java.util.Arrays;
import scala.Tuple2;

/**
 * A batch of index rows that is sent through the driver. It is a class and not the record {@link
 * ShuffleBatch}, since Kryo cannot instantiate records.
 */
final class IndexRows implements Serializable {
  private static final long serialVersionUID = 1;

  private final int owner;
  private final long[] locals;
  private final int[] starts;
  private final byte[] bytes;

  /**
   * @param batch emitted by {@link IndexRowBinner}
   */
  IndexRows(Tuple2<BatchKey, ShuffleBatch> batch) {
    ShuffleBatch rows = batch._2();
    this.owner = batch._1().partition();
    this.locals = Arrays.copyOf(rows.locals(), rows.count());
    this.starts = Arrays.copyOf(rows.rows(), rows.count());
    this.bytes = Arrays.copyOf((byte[]) rows.payload(), rows.payloadUnits());
  }

  private IndexRows(int owner, long[] locals, int[] starts, byte[] bytes) {
    this.owner = owner;
    this.locals = locals;
    this.starts = starts;
    this.bytes = bytes;
  }

  /** Returns the same rows for one owner of all slices, where the slices have {@code places}. */
  IndexRows at(long[] places) {
    return new IndexRows(0, places, starts, bytes);
  }

  /** Returns the first {@code most} rows, or all if they are fewer. */
  IndexRows first(int most) {
    return most >= locals.length
        ? this
        : new IndexRows(
            owner,
            Arrays.copyOf(locals, most),
            Arrays.copyOf(starts, most),
            Arrays.copyOf(bytes, starts[most]));
  }

  /** The numbers of the slices in their owner; must not be written to. */
  long[] locals() {
    return locals;
  }

  /** The partition that owns the slices. */
  int owner() {
    return owner;
  }

  long size() {
    return 12L * locals.length + bytes.length;
  }

  ShuffleBatch batch() {
    return new ShuffleBatch(Storage.BYTE, locals.length, locals, starts, bytes, bytes.length);
  }
}
