/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.metrics;

import java.io.Serializable;

/** Receives the number of missing keys of a gather by key, in its tasks. */
@FunctionalInterface
public interface MissingKeyListener extends Serializable {
  MissingKeyListener NONE = rows -> {};

  /**
   * Called each time that a task has looked up keys.
   *
   * @param rows of these keys, the number of rows whose key is not in the table
   */
  void missed(long rows);
}
