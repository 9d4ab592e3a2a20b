/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.publish;

import java.util.List;
import java.util.Optional;

/**
 * A connection to an online store, for one publication there.
 *
 * <p>A store takes changes of the step whose number, the epoch, it has recorded last. So a driver
 * or a task that goes on after another publication began, for example after a network partition,
 * changes nothing. All methods throw {@link io.sparknd.tensor.SparkNdException} if the store fails.
 */
interface SinkStore extends AutoCloseable {

  /** Returns what the store has; empty if nothing was published. */
  Optional<SinkPosition> position();

  /**
   * Records that a step begins, and makes what its rows need, such as columns.
   *
   * @param before the position that was read
   * @return false if the store has another position by now; nothing was done
   */
  boolean begin(Optional<SinkPosition> before, SinkPosition step);

  /**
   * Writes rows, each one as a whole.
   *
   * @return the number of bytes sent; -1 if another step began and the rest was not written
   */
  long write(long epoch, List<PublishedRow> rows);

  /**
   * Deletes the rows that earlier steps wrote.
   *
   * @return their number; -1 if another step began
   */
  long deleteOlder(long epoch);

  /**
   * Records that a step has ended.
   *
   * @return false if another step began; nothing was done
   */
  boolean end(SinkPosition ended);

  @Override
  void close();
}
