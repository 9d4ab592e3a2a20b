/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.cell;

/** Signals an update that its reduction cannot apply. */
public final class CellException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final int slot;

  /** Creates an exception without stack trace. */
  CellException(int slot, String problem) {
    super(problem, null, false, false);
    this.slot = slot;
  }

  /** Returns the slot of the cell that could not be updated. */
  public int slot() {
    return slot;
  }
}
