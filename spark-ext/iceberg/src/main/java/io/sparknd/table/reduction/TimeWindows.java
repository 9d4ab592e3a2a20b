/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.reduction;

import io.sparknd.table.internal.FeatureErrors;
import java.io.Serializable;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/**
 * Windows of time in which a variable is reduced. Time is divided into tiles of one length, which
 * begin at multiples of it since 1970-01-01 in UTC; a window is a whole number of them. The window
 * at a time has the tiles that ended by then.
 *
 * @param tile length of a tile, whole seconds
 * @param lengths lengths of the windows, ascending; multiples of {@code tile}
 */
public record TimeWindows(Duration tile, List<Duration> lengths) implements Serializable {
  /** Tiles that a row keeps at most. */
  private static final int MAX_TILES = 10_000;

  /**
   * Checks the lengths.
   *
   * @throws io.sparknd.tensor.SparkNdException if there is no window, one is given twice, or is not
   *     a multiple of the tile, at most 10,000 of them
   */
  public TimeWindows {
    lengths = lengths.stream().sorted().toList();
    if (lengths.isEmpty()) {
      throw FeatureErrors.noWindow();
    }
    requireWholeSeconds(tile);
    for (Duration length : lengths) {
      requireWholeSeconds(length);
      boolean isWhole = length.toSeconds() % tile.toSeconds() == 0;
      boolean isFew = length.toSeconds() / tile.toSeconds() <= MAX_TILES;
      if (!isWhole || !isFew || Collections.frequency(lengths, length) > 1) {
        throw FeatureErrors.badWindow(WindowText.of(length), WindowText.of(tile), MAX_TILES);
      }
    }
  }

  private static void requireWholeSeconds(Duration length) {
    if (length.toSeconds() <= 0 || !length.equals(Duration.ofSeconds(length.toSeconds()))) {
      throw FeatureErrors.badWindowLength(length);
    }
  }

  /**
   * Returns windows.
   *
   * @param tile length of a tile: what is older than a window is left out tile by tile
   * @param lengths lengths of the windows
   * @throws io.sparknd.tensor.SparkNdException if a length is not a multiple of the tile
   */
  public static TimeWindows of(Duration tile, Duration... lengths) {
    return new TimeWindows(tile, Arrays.asList(lengths));
  }

  /**
   * Returns the windows of texts, as table properties and procedures have them.
   *
   * @param tile such as {@code 1 day}: a number of weeks, days, hours, minutes or seconds
   * @param lengths such as {@code 7 days, 30 days}
   * @throws io.sparknd.tensor.SparkNdException if a text is no length, or as {@link #of}
   */
  public static TimeWindows parse(String tile, String lengths) {
    return new TimeWindows(WindowText.length(tile), WindowText.lengths(lengths));
  }

  /** Returns the length of a tile as {@link #parse} takes it. */
  public String tileText() {
    return WindowText.of(tile);
  }

  /** Returns the lengths as {@link #parse} takes them. */
  public String lengthsText() {
    return WindowText.list(lengths);
  }

  /** Returns the name of the column that gathers give a window: {@code views_7d}. */
  public static String column(String variable, Duration length) {
    return WindowText.column(variable, length);
  }

  /** Returns the number of tiles of a window. */
  public int tiles(Duration length) {
    return (int) (length.toSeconds() / tile.toSeconds());
  }

  /** Returns the longest window. */
  public Duration longest() {
    return lengths.get(lengths.size() - 1);
  }

  /** Returns the text in SQL: {@code 7 days, 30 days in tiles of 1 day}. */
  @Override
  public String toString() {
    return lengthsText() + " in tiles of " + tileText();
  }
}
