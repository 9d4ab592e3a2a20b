/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.cell;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The tiles that a row keeps of a variable. */
public final class StoredTiles {
  private final long[] tiles;
  private final List<TileValues> partials;
  private final boolean areEvicted;

  /**
   * @param tiles begins of the tiles, ascending
   * @param partials partial results by tile; none if there are no tiles
   * @param areEvicted whether older tiles were evicted
   */
  private StoredTiles(long[] tiles, List<TileValues> partials, boolean areEvicted) {
    this.tiles = tiles;
    this.partials = partials;
    this.areEvicted = areEvicted;
  }

  /**
   * Returns the tiles in a row's state columns.
   *
   * @param state values of the columns in Spark's internal form, as {@link TileFormat} lists them
   */
  public static StoredTiles of(TileFormat format, List<@Nullable Object> state) {
    boolean areEvicted = Boolean.TRUE.equals(state.get(state.size() - 1));
    List<CellType> types = format.reduction().partials();
    if (!(state.get(0) instanceof byte[] runs)) {
      return new StoredTiles(new long[0], partials(types, state, 0), areEvicted);
    }
    long[] tiles = format.times().tiles(runs);
    List<TileValues> partials = partials(types, state, tiles == null ? 0 : tiles.length);
    return tiles == null || partials.size() < types.size()
        ? new StoredTiles(new long[1], List.of(), areEvicted) // which is a problem
        : new StoredTiles(tiles, partials, areEvicted);
  }

  private static List<TileValues> partials(
      List<CellType> types, List<@Nullable Object> state, int tiles) {
    List<TileValues> partials = new ArrayList<>();
    for (int p = 0; p < types.size(); p++) {
      TileValues values = TileValues.of(types.get(p), state.get(1 + p), tiles);
      if (values != null) {
        partials.add(values);
      }
    }
    return partials;
  }

  long[] tiles() {
    return tiles;
  }

  List<TileValues> partials() {
    return partials;
  }

  boolean areEvicted() {
    return areEvicted;
  }

  /**
   * Returns what is wrong with the tiles, which another engine may have changed; null if nothing.
   */
  public @Nullable String problem() {
    boolean isWhole = tiles.length > 0 ? !partials.isEmpty() : !areEvicted;
    for (TileValues partial : partials) {
      isWhole &= partial.count() == tiles.length;
    }
    return isWhole
        ? null
        : "its tiles are not ascending, or not as many in all columns of its state";
  }
}
