/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.cell;

import java.io.Serializable;

/**
 * How a row keeps the tiles of a variable: the latest one, and those of the longest window before
 * it. State columns are the begins of tiles, ascending, then each partial result, and last whether
 * older tiles were evicted.
 *
 * @param longest number of tiles of the longest window
 */
public record TileFormat(TileReduction reduction, TileTimes times, int longest)
    implements Serializable {
  /** Name of the column of partial results that are of the variable's type. */
  static final String TILES = "tiles";

  /** Name of the column that tells whether older tiles were evicted. */
  static final String EVICTED = "evicted";

  /** Returns the first tile that is kept if the latest is {@code latest}. */
  long firstKept(long latest) {
    return latest - longest;
  }
}
