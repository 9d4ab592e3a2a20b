/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.cell;

import java.io.Serializable;
import java.util.List;

/**
 * How updates of a tile reduce to its partial results, and those of tiles to a window.
 *
 * @param type type of the variable
 * @param partials types of the partial results: that of the variable, or of the reduction's state
 * @param update reduces updates of a tile
 * @param merges reduce each partial result of tiles, which are given as updates
 */
record TileReduction(CellType type, List<CellType> partials, CellFold update, List<CellFold> merges)
    implements Serializable {
  TileReduction {
    partials = List.copyOf(partials);
    merges = List.copyOf(merges);
  }

  /** Returns partial results, all absent. */
  List<Cells> allocate(int count) {
    return partials.stream().map(partial -> partial.allocate(count)).toList();
  }

  /** Returns whether the partial results are sum and count of a mean. */
  private boolean isMean() {
    return partials.size() > 1;
  }

  /** Reduces updates into the partial results of tiles. */
  void update(List<Cells> tiles, int count, CellUpdates updates) {
    update.fold(
        isMean()
            ? new CellTarget(type.allocate(count), tiles)
            : new CellTarget(tiles.get(0), List.of()),
        updates);
  }

  /**
   * Reduces partial results of tiles into those of windows.
   *
   * @param slots the window of each tile; the first {@code count} are valid
   */
  void merge(List<Cells> windows, List<Cells> tiles, int[] slots, int count) {
    for (int p = 0; p < partials.size(); p++) {
      merges
          .get(p)
          .fold(
              new CellTarget(windows.get(p), List.of()),
              new CellUpdates(tiles.get(p), null, slots, count));
    }
  }

  /** Returns the values of windows. */
  Cells values(List<Cells> windows, int count) {
    if (!isMean()) {
      return windows.get(0);
    }
    ElementCells means = (ElementCells) type.allocate(count);
    double[] values = (double[]) means.payload();
    double[] sums = (double[]) ((ElementCells) windows.get(0)).payload();
    long[] counts = (long[]) ((ElementCells) windows.get(1)).payload();
    for (int i = 0; i < count; i++) {
      if (windows.get(0).isPresent(i)) {
        values[i] = sums[i] / counts[i];
        means.mark(i);
      }
    }
    return means;
  }
}
