/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.file;

import io.sparknd.parquet.RepetitionPattern;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.apache.parquet.bytes.HeapByteBufferAllocator;
import org.apache.parquet.column.values.rle.RunLengthBitPackingHybridEncoder;

/** Encodes the repetition and definition levels at the beginning of a page of whole slices. */
final class LevelBytes {
  /** From this row length on, run-length encoding takes less than a bit per value. */
  private static final int LONG_ROW = 32;

  private final RepetitionPattern pattern;
  private final int present;
  private int rows = -1;
  private byte[] bytes = {};

  /**
   * Creates an encoder for rows of one pattern.
   *
   * @param present the definition level of a value that is not null
   */
  LevelBytes(RepetitionPattern pattern, int present) {
    this.pattern = pattern;
    this.present = present;
  }

  /**
   * Returns the levels of a page of {@code count} rows; repeated calls with the same count return
   * the same array.
   */
  byte[] of(int count) {
    if (count != rows) {
      rows = count;
      bytes = make(count);
    }
    return bytes;
  }

  private byte[] make(int count) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    if (pattern.depth() > 0) {
      section(out, pattern.length() < LONG_ROW ? packed(count) : runs(count));
    }
    if (present > 0) {
      ByteArrayOutputStream all = new ByteArrayOutputStream();
      run(all, present, Math.multiplyExact(count, pattern.length()));
      section(out, all.toByteArray());
    }
    return out.toByteArray();
  }

  private static void section(ByteArrayOutputStream out, byte[] levels) {
    out.writeBytes(littleEndian(levels.length));
    out.writeBytes(levels);
  }

  static byte[] littleEndian(int value) {
    return ByteBuffer.allocate(Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN).putInt(value).array();
  }

  @SuppressWarnings("deprecation") // its replacement wants an allocator to close
  private byte[] packed(int count) {
    int width = Integer.SIZE - Integer.numberOfLeadingZeros(pattern.depth());
    int capacity = Math.max(64, count * pattern.length() / Byte.SIZE);
    try (RunLengthBitPackingHybridEncoder encoder =
        new RunLengthBitPackingHybridEncoder(
            width, capacity, capacity, HeapByteBufferAllocator.getInstance())) {
      for (int row = 0; row < count; row++) {
        for (int i = 0; i < pattern.length(); i++) {
          encoder.writeInt(pattern.level(i));
        }
      }
      return encoder.toBytes().toByteArray();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Encodes levels as runs; the bytes of all rows are equal. */
  private byte[] runs(int count) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (int i = 0; i < pattern.length(); i = pattern.runEnd(i)) {
      run(out, pattern.level(i), pattern.runEnd(i) - i);
    }
    byte[] row = out.toByteArray();
    byte[] all = new byte[Math.multiplyExact(count, row.length)];
    for (int i = 0; i < count; i++) {
      System.arraycopy(row, 0, all, i * row.length, row.length);
    }
    return all;
  }

  private static void run(ByteArrayOutputStream out, int level, int length) {
    long header = (long) length << 1;
    for (; header > 0x7f; header >>>= 7) {
      out.write((int) (header & 0x7f | 0x80));
    }
    out.write((int) header);
    out.write(level);
  }
}
