/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.file;

/** Where cells of a column are read to. */
interface ReadTarget {
  /** Returns the array of the elements; cell {@code i} begins at unit {@code i * units()}. */
  Object payload();

  int units();

  /** Takes a cell whose elements were written. */
  void mark(int slot);

  /** Takes a NULL. */
  void clear(int slot);

  /** Returns whether a cell may be NULL. */
  boolean takesNulls();
}
