/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.cell;

import java.io.Serializable;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.TimeUnit;
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
    return tile(payload instanceof int[] days ? DAY * days[slot] : ((long[]) payload)[slot]);
  }

  /** Returns the tiles whose begins, in microseconds since 1970, are in little-endian bytes. */
  long[] tiles(byte[] begins) {
    long[] tiles = new long[begins.length / Long.BYTES];
    ByteBuffer.wrap(begins).order(ByteOrder.LITTLE_ENDIAN).asLongBuffer().get(tiles);
    for (int i = 0; i < tiles.length; i++) {
      tiles[i] = tile(tiles[i]);
    }
    return tiles;
  }

  /** Returns when tiles begin, as {@link #tiles} takes it. */
  byte[] begins(long[] tiles) {
    ByteBuffer begins =
        ByteBuffer.allocate(tiles.length * Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    for (long tile : tiles) {
      begins.putLong(begin(tile));
    }
    return begins.array();
  }
}
