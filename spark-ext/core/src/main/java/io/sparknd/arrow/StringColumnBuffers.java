/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.arrow;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CharsetEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;

/** Buffers strings as Arrow offsets and UTF-8 text. */
final class StringColumnBuffers extends ColumnBuffers {
  private final int cellUnits;
  private final BufferAllocator allocator;
  // fails on unpaired surrogates, which String.getBytes would replace by a question mark
  private final CharsetEncoder encoder = StandardCharsets.UTF_8.newEncoder();
  private ArrowBuf offsets;
  private ArrowBuf text;
  private int bytes;
  private int units;

  StringColumnBuffers(int cellUnits, BufferAllocator allocator) {
    this.cellUnits = cellUnits;
    this.allocator = allocator;
    this.offsets = allocator.getEmpty();
    this.text = allocator.getEmpty();
  }

  @Override
  int append(Object array, int from, int to) {
    String[] strings = (String[]) array;
    int at = from;
    while (at < to && !isFull()) {
      add(strings[at++]);
    }
    return at - from;
  }

  private void add(String string) {
    ByteBuffer utf8 = encode(string);
    int length = utf8.remaining();
    if (length > Integer.MAX_VALUE - bytes) {
      throw ArrowErrors.arrowTextTooLong(cellUnits);
    }
    offsets = withRoom(offsets, 4L * units, 8);
    offsets.setInt(4L * units, bytes);
    offsets.setInt(4L * (units + 1), bytes + length);
    text = withRoom(text, bytes, length);
    text.setBytes(bytes, utf8);
    bytes += length;
    units++;
  }

  private ByteBuffer encode(String string) {
    try {
      return encoder.encode(CharBuffer.wrap(string));
    } catch (CharacterCodingException e) {
      throw ArrowErrors.notUnicode(string);
    }
  }

  /** Returns {@code buffer} or a larger copy with {@code more} bytes after {@code used}. */
  private ArrowBuf withRoom(ArrowBuf buffer, long used, int more) {
    if (used + more <= buffer.capacity()) {
      return buffer;
    }
    ArrowBuf larger =
        allocator.buffer(Math.max(used + more, Math.max(1024, 2 * buffer.capacity())));
    larger.setBytes(0, buffer, 0, buffer.capacity());
    buffer.close();
    return larger;
  }

  @Override
  boolean isFull() {
    return units > 0 && units % cellUnits == 0 && bytes + 4L * units >= TARGET_BYTES;
  }

  @Override
  int units() {
    return units;
  }

  @Override
  List<ArrowBuf> buffers() {
    offsets.writerIndex(4L * (units + 1));
    text.writerIndex(bytes);
    return List.of(offsets, text);
  }

  @Override
  void clear() {
    bytes = 0;
    units = 0;
  }

  @Override
  public void close() {
    offsets.close();
    text.close();
  }
}
