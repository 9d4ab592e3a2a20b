/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.tensor;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.IntBuffer;
import java.nio.charset.StandardCharsets;

/**
 * Encodes units of an array as the data of an {@code .npy} file, the inverse of {@link NpyDecoder}.
 */
public final class NpyEncoder {
  private final NpyHeader header;

  public NpyEncoder(NpyHeader header) {
    this.header = header;
  }

  /** Returns the code points of the longest of the strings {@code [from, to)}; 0 if none. */
  public static int width(String[] strings, int from, int to) {
    int width = 0;
    for (int i = from; i < to; i++) {
      width = Math.max(width, strings[i].codePointCount(0, strings[i].length()));
    }
    return width;
  }

  /** Bytes of one unit in the file. */
  int unitBytes() {
    return header.itemBytes() / header.dtype().units();
  }

  /**
   * Encodes the units {@code [from, to)} of {@code array} into {@code bytes} and advances its
   * position past them. The buffer's byte order is ignored; the header's applies.
   *
   * @param array an array of {@code header.dtype().storage()}
   * @param bytes with room for {@code to - from} units
   * @throws SparkNdException if a string is longer than the header allows or ends in NUL
   */
  public void encode(Object array, int from, int to, ByteBuffer bytes) {
    DType dtype = header.dtype();
    if (!dtype.storage().holds(array)) {
      throw TensorErrors.wrongStorage(dtype, array);
    }
    if (array instanceof String[] strings) {
      check(strings, from, to);
    }
    put(array, from, to, bytes);
  }

  /** Encodes units whose strings were checked. */
  private void put(Object array, int from, int to, ByteBuffer bytes) {
    int units = to - from;
    int length = Math.multiplyExact(units, unitBytes());
    ByteBuffer data = bytes.slice(bytes.position(), length).order(header.byteOrder());
    switch (header.dtype().storage()) {
      case BYTE -> data.put((byte[]) array, from, units);
      case SHORT -> data.asShortBuffer().put((short[]) array, from, units);
      case INT -> data.asIntBuffer().put((int[]) array, from, units);
      case LONG -> data.asLongBuffer().put((long[]) array, from, units);
      case FLOAT -> data.asFloatBuffer().put((float[]) array, from, units);
      case DOUBLE -> data.asDoubleBuffer().put((double[]) array, from, units);
      case STRING -> strings((String[]) array, from, to, data);
    }
    bytes.position(bytes.position() + length);
  }

  /**
   * Writes the units {@code [from, to)} of {@code array} in chunks.
   *
   * @throws SparkNdException if a string is longer than the header allows or ends in NUL; then
   *     nothing is written
   */
  void write(Object array, int from, int to, OutputStream out) throws IOException {
    if (array instanceof String[] strings) {
      check(strings, from, to);
    }
    int perChunk = Math.max(1, NpyDecoder.CHUNK_BYTES / Math.max(1, unitBytes()));
    ByteBuffer chunk = ByteBuffer.allocate(Math.min(perChunk, to - from) * unitBytes());
    for (int start = from; start < to; start += Math.min(perChunk, to - start)) {
      chunk.clear();
      put(array, start, start + Math.min(perChunk, to - start), chunk);
      out.write(chunk.array(), 0, chunk.position());
    }
  }

  private void check(String[] array, int from, int to) {
    for (int i = from; i < to; i++) {
      checkEnd(array[i]);
      if (header.layout() == NpyDescr.Layout.BYTE_STRING) {
        int bytes = array[i].getBytes(StandardCharsets.UTF_8).length;
        checkWidth(array[i], bytes, header.itemBytes());
      } else {
        int codePoints = array[i].codePointCount(0, array[i].length());
        checkWidth(array[i], codePoints, header.itemBytes() / 4);
      }
    }
  }

  private void strings(String[] array, int from, int to, ByteBuffer data) {
    IntBuffer ints = data.asIntBuffer();
    for (int i = from; i < to; i++) {
      if (header.layout() == NpyDescr.Layout.BYTE_STRING) {
        putUtf8(array[i], data);
      } else {
        putUtf32(array[i], ints);
      }
    }
  }

  private void putUtf8(String string, ByteBuffer data) {
    byte[] bytes = string.getBytes(StandardCharsets.UTF_8);
    data.put(bytes).put(new byte[header.itemBytes() - bytes.length]);
  }

  private void putUtf32(String string, IntBuffer ints) {
    int end = ints.position() + header.itemBytes() / 4;
    string.codePoints().forEach(ints::put);
    while (ints.position() < end) {
      ints.put(0);
    }
  }

  /** The format pads strings with NUL, so it has no strings that end in one. */
  private static void checkEnd(String string) {
    if (string.endsWith("\0")) {
      throw NpyErrors.npyStringEndsInNul(string);
    }
  }

  private void checkWidth(String string, int needed, int width) {
    if (needed > width) {
      throw NpyErrors.npyStringTooLong(header.descr(), string, needed, width);
    }
  }
}
