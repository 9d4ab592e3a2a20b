/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.cell;

import java.io.Serializable;

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
}
