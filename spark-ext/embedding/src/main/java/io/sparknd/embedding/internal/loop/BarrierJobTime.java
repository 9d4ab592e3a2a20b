/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.loop;

import java.io.Serializable;
import java.util.concurrent.TimeUnit;

/**
 * For how long a job of a {@link BarrierLoop} takes steps: so long that copying the rows that it
 * changes and storing a version, of which executors have two copies, takes a thirtieth of the time;
 * but no less than two seconds, and no more than the longest time, for which it holds its cores and
 * nothing is reported.
 *
 * @param nanos the time without these bounds; 0 if the version says so
 * @param most the longest time
 */
record BarrierJobTime(long nanos, long most) implements Serializable {
  /** A job takes so many times as long as what it does beside its steps. */
  static final int SHARE = 30;

  private static final long LEAST = TimeUnit.SECONDS.toNanos(2);

  /**
   * How long it takes to copy, store and send a byte of a version, as measured: 200 MB a second.
   */
  private static final double NANOS_PER_BYTE = 5;

  /**
   * Returns the time in nanoseconds.
   *
   * @param bytes the bytes of the version that one task stores
   */
  long of(long bytes) {
    double target = nanos > 0 ? nanos : SHARE * NANOS_PER_BYTE * bytes;
    return (long) Math.min(most, Math.max(LEAST, target));
  }
}
