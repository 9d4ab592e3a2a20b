/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.rows;

import io.sparknd.cluster.internal.partition.RawUnits;
import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/**
 * Rows at their source, in order, before they are distributed to partitions, each with a number
 * that determines its partition: the offset of a slice, of a piece of one, or the key of an
 * embedding row. It is a class and not a record: it is broadcast, and Kryo cannot instantiate
 * records.
 */
public final class NumberedRows implements Serializable {
  private static final long serialVersionUID = 1;

  private final long[] numbers;
  private final int count;
  private final RawUnits payload;
  private final long @Nullable [] keys;

  /** Numbers without rows: requests whose place is their position. */
  public NumberedRows(long[] numbers, int count) {
    this(numbers, count, new byte[0]);
  }

  /**
   * @param numbers one for each row, {@link io.sparknd.op.SliceOffsets#DROPPED} if the row is
   *     dropped
   * @param count number of valid {@code numbers}
   * @param payload an array of the dtype's storage; row {@code i} belongs to number {@code i}
   */
  public NumberedRows(long[] numbers, int count, Object payload) {
    this(numbers, count, payload, null);
  }

  /**
   * @param keys one per row of the payload: rows of equal keys are equal, and a batch carries one
   *     of them. Null if rows are not known to repeat
   */
  public NumberedRows(long[] numbers, int count, Object payload, long @Nullable [] keys) {
    this.numbers = numbers;
    this.count = count;
    this.payload = new RawUnits(payload);
    this.keys = keys;
  }

  public long @Nullable [] keys() {
    return keys;
  }

  public long[] numbers() {
    return numbers;
  }

  public int count() {
    return count;
  }

  public Object payload() {
    return payload.array();
  }
}
