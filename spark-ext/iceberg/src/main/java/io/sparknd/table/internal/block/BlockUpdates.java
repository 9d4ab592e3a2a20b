/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.block;

/** The updates of one block, in the order in which they apply. */
interface BlockUpdates {

  void add(UpdateRun run);

  /** Returns the rows that updates name; call it after the last update. */
  TouchedRows touched();

  /** Returns whether {@link #fold} needs the stored values of touched rows. */
  boolean needStored();

  /**
   * Returns an array for rows of the block, the touched ones first; call it once.
   *
   * @param touched all touched rows
   * @param rows number of rows
   */
  Object payload(TouchedRows touched, int rows);

  /**
   * Brings the touched rows of {@code payload} to their new values.
   *
   * @param payload an array of {@link #payload}, with stored values if they are needed
   */
  void fold(TouchedRows touched, Object payload);
}
