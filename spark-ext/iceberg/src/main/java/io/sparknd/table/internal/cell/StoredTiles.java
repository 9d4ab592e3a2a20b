/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.cell;

import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.jspecify.annotations.Nullable;

/**
 * The tiles that a row keeps of a variable.
 *
 * @param tiles numbers of the tiles, ascending
 * @param partials arrays of partial results
 * @param areEvicted whether older tiles were evicted
 */
public record StoredTiles(long[] tiles, List<ArrayData> partials, boolean areEvicted) {

  /**
   * Returns the tiles in a row's state columns.
   *
   * @param state values of the columns, as {@link TileFormat} lists them
   */
  public static StoredTiles of(TileTimes times, List<@Nullable Object> state) {
    int last = state.size() - 1;
    List<ArrayData> partials = new ArrayList<>();
    for (Object partial : state.subList(1, last)) {
      if (partial instanceof ArrayData array) {
        partials.add(array);
      }
    }
    boolean areEvicted = Boolean.TRUE.equals(state.get(last));
    if (state.get(0) instanceof ArrayData begins) {
      boolean areAll = partials.size() == last - 1;
      return new StoredTiles(times.tiles(begins), areAll ? partials : List.of(), areEvicted);
    }
    return new StoredTiles(new long[0], partials, areEvicted);
  }

  /**
   * Returns what is wrong with the tiles, which another engine may have changed; null if nothing.
   */
  public @Nullable String problem() {
    boolean isWhole = tiles.length > 0 ? !partials.isEmpty() : !areEvicted;
    for (int i = 1; i < tiles.length; i++) {
      isWhole &= tiles[i - 1] < tiles[i];
    }
    for (ArrayData partial : partials) {
      isWhole &= partial.numElements() == tiles.length;
      for (int i = 0; isWhole && i < tiles.length; i++) {
        isWhole = !partial.isNullAt(i);
      }
    }
    return isWhole
        ? null
        : "its tiles are not ascending, or not as many in all columns of its state";
  }
}
