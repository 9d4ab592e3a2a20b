/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster;

import java.io.Serializable;

/** Hears, in the task that folded it, of every partition of a scatter. */
@FunctionalInterface
public interface FoldListener extends Serializable {
  FoldListener NONE = (updates, slices, blocksCopied, nanos) -> {};

  /**
   * @param updates of slices, after those of one source were combined
   * @param slices that they name
   * @param blocksCopied blocks that were made for the new version
   * @param nanos to read and fold the updates
   */
  void folded(long updates, long slices, long blocksCopied, long nanos);
}
