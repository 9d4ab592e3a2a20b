/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.file;

/** Slices of a tensor, none of which is NULL. */
record SliceTarget(Object payload, int units) implements ReadTarget {
  @Override
  public void mark(int slot) {
    // each slot is read
  }

  @Override
  public void clear(int slot) {
    throw new IllegalStateException("slot " + slot + " is NULL");
  }

  @Override
  public boolean takesNulls() {
    return false;
  }
}
