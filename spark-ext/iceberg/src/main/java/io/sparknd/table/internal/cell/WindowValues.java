/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.cell;

import java.util.Arrays;
import java.util.List;
import org.apache.spark.sql.catalyst.util.ArrayData;

/** Computes windows of rows from the tiles that they keep. */
public final class WindowValues {
  private final TileFormat format;
  private final TileMerge merge;

  public WindowValues(TileFormat format) {
    this.format = format;
    this.merge = new TileMerge(format.reduction());
  }

  /**
   * The tiles of a row.
   *
   * @param tiles numbers of the tiles, ascending
   * @param partials arrays of partial results
   * @param areEvicted whether older tiles were evicted
   */
  public record Tiles(long[] tiles, List<ArrayData> partials, boolean areEvicted) {}

  /**
   * Returns the time from which on windows of a row are known, in microseconds since 1970.
   *
   * @param tiles at least one
   */
  public long knownFrom(Tiles tiles) {
    return tiles.areEvicted()
        ? format.times().begin(format.firstKept(tiles.tiles()[tiles.tiles().length - 1]))
        : Long.MIN_VALUE;
  }

  /**
   * Adds a window that ends at a time.
   *
   * @param micros the time, in microseconds since 1970
   * @param count number of tiles of the window
   * @return whether it is known; else nothing is added
   */
  public boolean add(int window, Tiles of, long micros, int count) {
    long end = format.times().tile(micros);
    if (of.areEvicted() && format.times().begin(end - count) < knownFrom(of)) {
      return false;
    }
    merge.add(window, of.partials(), first(of.tiles(), end - count), first(of.tiles(), end));
    return true;
  }

  /** Returns the index of the first tile that is not before another. */
  private static int first(long[] tiles, long least) {
    int found = Arrays.binarySearch(tiles, least);
    return found >= 0 ? found : -1 - found;
  }

  /** Returns the values of windows, absent for those without tiles, and begins anew. */
  public Cells values(int count) {
    return merge.values(count);
  }
}
