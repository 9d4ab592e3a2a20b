/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.cell;

import java.util.Arrays;
import java.util.List;

/** Reduces tiles of many windows at once, each window from its first tile to its last. */
final class TileMerge {
  private final TileReduction reduction;
  private final List<Cells> tiles;
  private int[] windows = new int[64];
  private int count;

  TileMerge(TileReduction reduction) {
    this.reduction = reduction;
    this.tiles = reduction.allocate(0); // slices may be large
  }

  /**
   * Adds tiles of a window.
   *
   * @param partials partial results by tile
   * @param from the first tile
   * @param to one beyond the last
   */
  void add(int window, List<TileValues> partials, int from, int to) {
    if (from >= to) {
      return;
    }
    int end = count + to - from;
    if (end > windows.length) {
      windows = Arrays.copyOf(windows, Math.max(end, 2 * windows.length));
    }
    for (int p = 0; p < partials.size(); p++) {
      tiles.get(p).grow(end);
      partials.get(p).read(from, to, tiles.get(p), count);
    }
    Arrays.fill(windows, count, end, window);
    count = end;
  }

  /**
   * Returns the values of windows, absent for those without tiles, and begins anew.
   *
   * @throws CellException if the tiles of the window in its slot cannot be reduced
   */
  Cells values(int most) {
    List<Cells> merged = reduction.allocate(most);
    reduction.merge(merged, tiles, windows, count);
    count = 0;
    return reduction.values(merged, most);
  }
}
