/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.loop;

import java.util.concurrent.atomic.AtomicLong;

/** The bytes of rows that all shards of a {@link LocalLoop} may request at once. */
final class RowBudget {
  private final long most;
  private final AtomicLong bytes = new AtomicLong();
  private volatile boolean isExceeded;

  RowBudget(long most) {
    this.most = most;
  }

  /**
   * Takes bytes for the rows of a shard.
   *
   * @param before what the shard took before, which it gives back
   * @return whether the rows may be allocated; once they may not, the loop ends
   */
  boolean take(long next, long before) {
    if (bytes.addAndGet(next - before) > most) {
      isExceeded = true;
    }
    return !isExceeded;
  }

  boolean isExceeded() {
    return isExceeded;
  }
}
