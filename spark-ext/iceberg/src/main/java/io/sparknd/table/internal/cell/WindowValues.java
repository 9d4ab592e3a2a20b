/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.cell;

/** Computes windows of rows from the tiles that they keep. */
public final class WindowValues {
  private final TileFormat format;
  private final TileMerge merge;

  public WindowValues(TileFormat format) {
    this.format = format;
    this.merge = new TileMerge(format.reduction());
  }

  /** Returns the time from which on windows of a row are known, in microseconds since 1970. */
  public long knownFrom(StoredTiles row) {
    long[] tiles = row.tiles();
    return row.areEvicted() ? format.firstKept(tiles[tiles.length - 1]) : Long.MIN_VALUE;
  }

  /**
   * Adds a window that ends at a time.
   *
   * @param row tiles without a {@link StoredTiles#problem}
   * @param micros the time, in microseconds since 1970
   * @param count number of tiles of the window
   * @return whether it is known; else nothing is added
   */
  public boolean add(int window, StoredTiles row, long micros, int count) {
    long end = format.times().tile(Math.max(micros, format.times().first(count))); // none is before
    long begin = format.times().before(end, count);
    if (row.areEvicted() && begin < knownFrom(row)) {
      return false;
    }
    merge.add(
        window,
        row.partials(),
        TileTimes.firstIndex(row.tiles(), begin),
        TileTimes.firstIndex(row.tiles(), end));
    return true;
  }

  /** Returns the values of windows, absent for those without tiles, and begins anew. */
  public Cells values(int count) {
    return merge.values(count);
  }
}
