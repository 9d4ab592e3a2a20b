/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.cell;

import java.io.Serializable;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.jspecify.annotations.Nullable;

/**
 * The tiles of time, which begin at multiples of their length after 1970-01-01 in UTC. A tile is
 * named by its begin, in microseconds.
 *
 * @param length length of a tile, in microseconds; whole days if times are dates
 * @param type type of times: timestamp, timestamp_ntz or date
 */
public record TileTimes(long length, DataType type) implements Serializable {
  /** The most tiles that are taken for those of a row: more than any window has. */
  private static final int MAX_TILES = 1 << 20;

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

  /**
   * Returns the time of a cell, in microseconds since 1970; for a date that is beyond, the least or
   * greatest number.
   */
  public static long micros(Cells times, int slot) {
    Object payload = ((ElementCells) times).payload();
    return payload instanceof int[] days
        ? TimeUnit.DAYS.toMicros(days[slot])
        : ((long[]) payload)[slot];
  }

  /**
   * Returns the first time that has a tile: there are tiles before it, as begins of windows.
   *
   * @param count number of tiles of a window
   */
  long first(int count) {
    return Long.MIN_VALUE + (count + 1L) * length;
  }

  /** Returns whether a time has a tile: it, and the windows that end with it, are numbers. */
  boolean hasTile(long micros, int count) {
    return micros >= first(count) && micros <= Long.MAX_VALUE - length;
  }

  /** Returns the tile that is some tiles before another. */
  long before(long tile, int count) {
    return tile - count * length;
  }

  /** Returns the index of the first of ascending tiles that is not before another. */
  static int firstIndex(long[] tiles, long least) {
    int found = Arrays.binarySearch(tiles, least);
    return found >= 0 ? found : -1 - found;
  }

  /**
   * Returns tiles from their runs: little-endian pairs of int64, the first tile of a run, and how
   * many follow each other without a gap.
   *
   * @return ascending; null if these are not runs of ascending tiles
   */
  long @Nullable [] tiles(byte[] runs) {
    LongBuffer pairs = ByteBuffer.wrap(runs).order(ByteOrder.LITTLE_ENDIAN).asLongBuffer();
    long next = Long.MIN_VALUE;
    long count = 0;
    for (int i = 0; i + 1 < pairs.limit(); i += 2) {
      long first = pairs.get(i);
      long most = pairs.get(i + 1);
      boolean isRun = first >= next && first == tile(first) && most > 0 && most <= MAX_TILES;
      if (!isRun || most > (Long.MAX_VALUE - Math.max(0, first)) / length) {
        return null;
      }
      next = first + most * length;
      count += most;
    }
    return runs.length % (2 * Long.BYTES) == 0 && count <= MAX_TILES
        ? tiles(pairs, (int) count)
        : null;
  }

  private long[] tiles(LongBuffer pairs, int count) {
    long[] tiles = new long[count];
    int at = 0;
    for (int i = 0; i < pairs.limit(); i += 2) {
      long tile = pairs.get(i);
      for (int end = at + (int) pairs.get(i + 1); at < end; at++) {
        tiles[at] = tile;
        tile += length;
      }
    }
    return tiles;
  }

  /** Returns the runs of ascending tiles, as {@link #tiles} takes them. */
  byte[] runs(long[] tiles) {
    int runs = 0;
    for (int i = 0; i < tiles.length; i++) {
      runs += i == 0 || tiles[i] != tiles[i - 1] + length ? 1 : 0;
    }
    ByteBuffer bytes = ByteBuffer.allocate(runs * 2 * Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    int first = 0;
    for (int i = 1; i <= tiles.length; i++) {
      if (i == tiles.length || tiles[i] != tiles[i - 1] + length) {
        bytes.putLong(tiles[first]).putLong(i - first);
        first = i;
      }
    }
    return bytes.array();
  }
}
