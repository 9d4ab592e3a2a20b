/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.file;

import io.sparknd.table.internal.cell.ElementCells;

/** Cells of a feature table. */
record ElementTarget(ElementCells cells) implements ReadTarget {
  @Override
  public Object payload() {
    return cells.payload();
  }

  @Override
  public int units() {
    return cells.type().units();
  }

  @Override
  public void mark(int slot) {
    cells.mark(slot);
  }

  @Override
  public void clear(int slot) {
    cells.clear(slot);
  }

  @Override
  public boolean takesNulls() {
    return true;
  }
}
