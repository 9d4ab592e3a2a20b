/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.cell;

import java.io.Serializable;
import java.util.Optional;

/** Folds the updates of one variable into its cells. */
public interface CellFold extends Serializable {

  /**
   * Applies updates.
   *
   * @throws CellException if an update cannot be applied; the target is then partly changed
   */
  void fold(CellTarget target, CellUpdates updates);

  /** Returns whether the result depends on the stored value or state. */
  default boolean readsStored() {
    return true;
  }

  /** Returns the name of the kernel provider, if the fold runs a kernel. */
  default Optional<String> kernelName() {
    return Optional.empty();
  }
}
