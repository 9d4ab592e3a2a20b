/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.cell;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;

/**
 * How a row keeps the tiles of a variable: the latest one, and those of the longest window before
 * it. State columns are the {@linkplain TileTimes#runs runs} of tiles, then {@link TileValues} of
 * each partial result, and last whether older tiles were evicted.
 *
 * @param longest number of tiles of the longest window
 */
public record TileFormat(TileReduction reduction, TileTimes times, int longest)
    implements Serializable {
  /** Name of the column of partial results that are of the variable's type. */
  static final String TILES = "tiles";

  /** Name of the column that tells whether older tiles were evicted. */
  static final String EVICTED = "evicted";

  /** What a cell of any length is taken for, in units of 8 bytes: sketches have some KB. */
  private static final int OBJECT_UNITS = 128;

  /** Units of the tiles that are reduced at once. */
  private static final long UNITS_AT_ONCE = 1 << 20;

  private static final int MAX_ROWS_AT_ONCE = 1024;

  /** Returns the types of the state columns. */
  public List<DataType> columns() {
    List<DataType> columns = new ArrayList<>(List.of(DataTypes.BinaryType));
    reduction.partials().forEach(partial -> columns.add(TileValues.column(partial)));
    columns.add(DataTypes.BooleanType);
    return columns;
  }

  private long unitsPerRow() {
    int units =
        reduction.type() instanceof CellType.Elements elements ? elements.units() : OBJECT_UNITS;
    return (longest + 1L) * units;
  }

  /** Returns about how many bytes the tiles of a row have in memory. */
  public long bytesPerRow() {
    return unitsPerRow() * Long.BYTES;
  }

  /** Returns how many rows are reduced at once. */
  public int rowsAtOnce() {
    return (int) Math.max(1, Math.min(MAX_ROWS_AT_ONCE, UNITS_AT_ONCE / unitsPerRow()));
  }

  /** Returns the first tile that is kept if the latest is {@code latest}. */
  long firstKept(long latest) {
    return times.before(latest, longest);
  }
}
