/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.parquet;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.apache.parquet.io.ParquetDecodingException;

/**
 * Decodes the levels of a page as runs of equal levels, from Parquet's hybrid of run lengths and
 * bit-packed groups of eight.
 */
public final class LevelRuns {
  private final ByteBuffer bytes;
  private final int width;
  private final int mask;
  private final int count;
  private int start;
  private int value;
  private int length;
  private int packed;
  private long group;
  private int inGroup;

  /**
   * @param most the highest level
   * @param count the number of levels in the page
   */
  public LevelRuns(ByteBuffer bytes, int most, int count) {
    this.bytes = bytes.slice().order(ByteOrder.LITTLE_ENDIAN);
    this.width = Integer.SIZE - Integer.numberOfLeadingZeros(most);
    this.mask = (1 << width) - 1;
    this.count = count;
  }

  /** Moves to the next run; false if there is none. */
  public boolean next() {
    start += length;
    length = 0;
    if (start == count) {
      return false;
    }
    if (packed > 0) {
      length = nextPacked();
    } else {
      header();
    }
    length = Math.min(length, count - start);
    return true;
  }

  /** The position of the run's first level in the page. */
  public int start() {
    return start;
  }

  /** The level of the run. */
  public int value() {
    return value;
  }

  /** The number of levels in the run. */
  public int length() {
    return length;
  }

  private void header() {
    int header = HybridRuns.header(bytes, "levels");
    if ((header & 1) == 0) {
      length = header >>> 1;
      value = (int) HybridRuns.repeated(bytes, width);
    } else {
      packed = header >>> 1 << 3;
      inGroup = 0;
      length = nextPacked();
    }
    if (length == 0) {
      throw new ParquetDecodingException("an empty run of levels");
    }
  }

  /** Reads the next run of equal levels within a bit-packed group; returns its length. */
  private int nextPacked() {
    if (inGroup == 0) {
      group = group();
      inGroup = 8;
    }
    value = (int) group & mask;
    int run = 0;
    while (inGroup > 0 && ((int) group & mask) == value) {
      group >>>= width;
      inGroup--;
      run++;
    }
    packed -= run;
    return run;
  }

  /** Reads the bits of a group: a level has at most eight, so a group has at most 64. */
  private long group() {
    long bits = 0;
    for (int i = 0; i < width; i++) {
      bits |= (bytes.get() & 0xffL) << (i * Byte.SIZE);
    }
    return bits;
  }
}
