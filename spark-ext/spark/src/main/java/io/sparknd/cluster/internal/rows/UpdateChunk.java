/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.rows;

import io.sparknd.cluster.internal.partition.RawUnits;
import java.io.Serializable;

/**
 * Updates at their source, in order, before they are distributed to partitions. It is a class and
 * not a record: chunks are broadcast, and Kryo cannot instantiate records.
 */
public final class UpdateChunk implements Serializable {
  private static final long serialVersionUID = 1;

  private final long[] offsets;
  private final int count;
  private final RawUnits payload;
  private final long[] keys;

  /**
   * @param offsets offsets of slices in the tensor, {@link io.sparknd.op.SliceOffsets#DROPPED} if
   *     the update is dropped
   * @param count number of valid {@code offsets}
   * @param payload an array of the dtype's storage; row {@code i} belongs to offset {@code i}
   */
  public UpdateChunk(long[] offsets, int count, Object payload) {
    this(offsets, count, payload, null);
  }

  /**
   * @param keys one per row of the payload: rows of equal keys are equal, and a batch carries one
   *     of them. Null if rows are not known to repeat
   */
  public UpdateChunk(long[] offsets, int count, Object payload, long[] keys) {
    this.offsets = offsets;
    this.count = count;
    this.payload = payload == null ? null : new RawUnits(payload);
    this.keys = keys;
  }

  public long[] keys() {
    return keys;
  }

  public long[] offsets() {
    return offsets;
  }

  public int count() {
    return count;
  }

  public Object payload() {
    return payload == null ? null : payload.array();
  }
}
