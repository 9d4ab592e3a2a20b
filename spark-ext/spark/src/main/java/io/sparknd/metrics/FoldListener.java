/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.metrics;

import java.io.Serializable;

/** Receives the statistics of each fold task of a scatter, in that task. */
@FunctionalInterface
public interface FoldListener extends Serializable {
  FoldListener NONE = (updates, slices, blocksCopied, nanos) -> {};

  /**
   * Called at the end of a fold task.
   *
   * @param updates updates of slices, after map-side combining
   * @param slices distinct slices that they name; of a hot slice whose updates several tasks fold,
   *     only one task counts it
   * @param blocksCopied blocks that were made for the new version
   * @param nanos time to read and fold the updates
   */
  void folded(long updates, long slices, long blocksCopied, long nanos);
}
