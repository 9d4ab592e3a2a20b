/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.parquet;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.apache.parquet.io.ParquetDecodingException;

/**
 * Finds dictionary ids of a page, stored as Parquet's hybrid of run lengths and bit-packed groups
 * of eight. Ids between those that are asked for are not decoded.
 */
public final class DictionaryIds {
  private static final int GROUP = 8;

  private final ByteBuffer bytes;
  private final int width;
  private final long mask;

  /** Position of the run's first id in the page, and the position after its last. */
  private long start;

  private long end;

  /** The run's id; -1 if it is bit-packed. */
  private long repeated;

  /** Offset of a bit-packed run. */
  private int packed;

  /**
   * @param values the values of a page: one byte with the width of an id in bits, and the runs
   */
  public DictionaryIds(ByteBuffer values) {
    this.bytes = values.slice().order(ByteOrder.LITTLE_ENDIAN);
    this.width = bytes.hasRemaining() ? bytes.get() & 0xff : 0;
    if (width > Integer.SIZE) {
      throw new ParquetDecodingException("dictionary ids of " + width + " bits");
    }
    this.mask = (1L << width) - 1;
  }

  /**
   * Returns the id at a position of the page, unsigned.
   *
   * @param position at least that of the call before
   */
  public long id(long position) {
    while (position >= end) {
      next();
    }
    return repeated >= 0 ? repeated : packedId(position - start);
  }

  private void next() {
    int header = HybridRuns.header(bytes, "dictionary ids");
    int groups = header >>> 1;
    start = end;
    if ((header & 1) == 0) {
      repeated = HybridRuns.repeated(bytes, width);
      end = start + groups;
    } else {
      repeated = -1;
      packed = bytes.position();
      end = start + (long) groups * GROUP;
      // some writers leave out the unused end of the last group
      bytes.position((int) Math.min(bytes.limit(), packed + (long) groups * width));
    }
    if (groups == 0) {
      throw new ParquetDecodingException("an empty run of dictionary ids");
    }
  }

  private long packedId(long index) {
    long bit = packed * (long) Byte.SIZE + index * width;
    if (bit + width > bytes.limit() * (long) Byte.SIZE) {
      throw new ParquetDecodingException("a page has too few dictionary ids");
    }
    int at = (int) (bit >>> 3);
    long bits = at <= bytes.limit() - Long.BYTES ? bytes.getLong(at) : lastBytes(at);
    return bits >>> (bit & 7) & mask;
  }

  private long lastBytes(int from) {
    long bits = 0;
    for (int at = from; at < bytes.limit(); at++) {
      bits |= (bytes.get(at) & 0xffL) << (at - from) * Byte.SIZE;
    }
    return bits;
  }
}
