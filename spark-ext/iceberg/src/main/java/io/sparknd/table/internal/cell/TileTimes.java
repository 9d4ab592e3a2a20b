/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.cell;

import java.io.Serializable;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.TimeUnit;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;

/**
 * The tiles of time, which begin at multiples of their length after 1970-01-01 in UTC. A tile is
 * named by its begin, in microseconds.
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
    return micros - Math.floorMod(micros, length);
  }

  /** Returns the tile that has the time of a cell. */
  long tile(Cells times, int slot) {
    Object payload = ((ElementCells) times).payload();
    return tile(payload instanceof int[] days ? DAY * days[slot] : ((long[]) payload)[slot]);
  }

  /** Returns the tile that is some tiles before another. */
  long before(long tile, int count) {
    return tile - count * length;
  }

  /** Returns the tiles in little-endian bytes. */
  static long[] tiles(byte[] bytes) {
    long[] tiles = new long[bytes.length / Long.BYTES];
    ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).asLongBuffer().get(tiles);
    return tiles;
  }

  /** Returns tiles in little-endian bytes. */
  static byte[] bytes(long[] tiles) {
    ByteBuffer bytes = ByteBuffer.allocate(tiles.length * Long.BYTES);
    bytes.order(ByteOrder.LITTLE_ENDIAN).asLongBuffer().put(tiles);
    return bytes.array();
  }
}
