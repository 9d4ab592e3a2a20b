/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.cell;

import java.io.Serializable;
import java.util.concurrent.TimeUnit;
import org.apache.spark.sql.catalyst.expressions.UnsafeArrayData;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;

/**
 * The tiles of time: tile {@code n} begins {@code n} lengths after 1970-01-01 in UTC.
 *
 * @param length length of a tile, in microseconds; whole days if times are dates
 * @param type type of times: timestamp, timestamp_ntz or date
 */
public record TileTimes(long length, DataType type) implements Serializable {
  private static final long DAY = TimeUnit.DAYS.toMicros(1);

  private boolean areDates() {
    return type.equals(DataTypes.DateType);
  }

  /**
   * Returns whether times are those of clocks on the wall, which are read in the session's time
   * zone; else they are instants.
   */
  public boolean areLocal() {
    return !type.equals(DataTypes.TimestampType);
  }

  /** Returns the tile that has a time, in microseconds since 1970. */
  public long tile(long micros) {
    return Math.floorDiv(micros, length);
  }

  /** Returns when a tile begins, in microseconds since 1970. */
  public long begin(long tile) {
    return tile * length;
  }

  /** Returns the tile that has the time of a cell. */
  long tile(Cells times, int slot) {
    Object payload = ((ElementCells) times).payload();
    return tile(areDates() ? DAY * ((int[]) payload)[slot] : ((long[]) payload)[slot]);
  }

  /** Returns the tiles whose begins an array has. */
  public long[] tiles(ArrayData begins) {
    long[] tiles = new long[begins.numElements()];
    for (int i = 0; i < tiles.length; i++) {
      tiles[i] = tile(areDates() ? DAY * begins.getInt(i) : begins.getLong(i));
    }
    return tiles;
  }

  /** Returns when tiles begin, as values of the type. */
  ArrayData begins(long[] tiles) {
    if (areDates()) {
      int[] days = new int[tiles.length];
      for (int i = 0; i < days.length; i++) {
        days[i] = (int) (begin(tiles[i]) / DAY);
      }
      return UnsafeArrayData.fromPrimitiveArray(days);
    }
    long[] micros = new long[tiles.length];
    for (int i = 0; i < micros.length; i++) {
      micros[i] = begin(tiles[i]);
    }
    return UnsafeArrayData.fromPrimitiveArray(micros);
  }
}
