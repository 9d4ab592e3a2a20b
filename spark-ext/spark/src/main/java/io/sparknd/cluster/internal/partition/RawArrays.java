/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.partition;

import io.sparknd.tensor.Storage;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Reads and writes primitive arrays as little-endian bytes in streams, through a small buffer. A
 * string is its length and its chars, since UTF-8 cannot encode a lone surrogate. Use one instance
 * per stream: the buffer is reused.
 */
public final class RawArrays {
  private final byte[] bytes = new byte[64 << 10];
  private final ByteBuffer buffer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);

  public void writeInt(OutputStream out, int value) throws IOException {
    buffer.putInt(0, value);
    out.write(bytes, 0, Integer.BYTES);
  }

  public int readInt(InputStream in) throws IOException {
    readFully(in, bytes, Integer.BYTES);
    return buffer.getInt(0);
  }

  /** Writes units {@code [from, to)} of {@code array}. */
  public void write(OutputStream out, Storage storage, Object array, int from, int to)
      throws IOException {
    if (storage == Storage.STRING) {
      writeStrings(out, (String[]) array, from, to);
      return;
    }
    int step = bytes.length / storage.bytes();
    for (int at = from; at < to; at += step) {
      int count = Math.min(step, to - at);
      encode(storage, array, at, count);
      out.write(bytes, 0, count * storage.bytes());
    }
  }

  /** Fills units {@code [from, to)} of {@code array}. */
  public void read(InputStream in, Storage storage, Object array, int from, int to)
      throws IOException {
    if (storage == Storage.STRING) {
      readStrings(in, (String[]) array, from, to);
      return;
    }
    int step = bytes.length / storage.bytes();
    for (int at = from; at < to; at += step) {
      int count = Math.min(step, to - at);
      readFully(in, bytes, count * storage.bytes());
      decode(storage, array, at, count);
    }
  }

  private void encode(Storage storage, Object array, int at, int count) {
    buffer.clear();
    switch (storage) {
      case BYTE -> buffer.put((byte[]) array, at, count);
      case SHORT -> buffer.asShortBuffer().put((short[]) array, at, count);
      case INT -> buffer.asIntBuffer().put((int[]) array, at, count);
      case LONG -> buffer.asLongBuffer().put((long[]) array, at, count);
      case FLOAT -> buffer.asFloatBuffer().put((float[]) array, at, count);
      case DOUBLE -> buffer.asDoubleBuffer().put((double[]) array, at, count);
      case STRING -> throw new AssertionError();
    }
  }

  private void decode(Storage storage, Object array, int at, int count) {
    buffer.clear();
    switch (storage) {
      case BYTE -> buffer.get((byte[]) array, at, count);
      case SHORT -> buffer.asShortBuffer().get((short[]) array, at, count);
      case INT -> buffer.asIntBuffer().get((int[]) array, at, count);
      case LONG -> buffer.asLongBuffer().get((long[]) array, at, count);
      case FLOAT -> buffer.asFloatBuffer().get((float[]) array, at, count);
      case DOUBLE -> buffer.asDoubleBuffer().get((double[]) array, at, count);
      case STRING -> throw new AssertionError();
    }
  }

  private void writeStrings(OutputStream out, String[] array, int from, int to) throws IOException {
    for (int i = from; i < to; i++) {
      writeInt(out, array[i].length());
      writeChars(out, array[i]);
    }
  }

  private void writeChars(OutputStream out, String string) throws IOException {
    int step = bytes.length / Character.BYTES;
    for (int at = 0; at < string.length(); at += step) {
      int count = Math.min(step, string.length() - at);
      buffer.clear().asCharBuffer().put(string, at, at + count);
      out.write(bytes, 0, count * Character.BYTES);
    }
  }

  private void readStrings(InputStream in, String[] array, int from, int to) throws IOException {
    for (int i = from; i < to; i++) {
      array[i] = readChars(in, readInt(in));
    }
  }

  private String readChars(InputStream in, int length) throws IOException {
    char[] chars = new char[length];
    int step = bytes.length / Character.BYTES;
    for (int at = 0; at < length; at += step) {
      int count = Math.min(step, length - at);
      readFully(in, bytes, count * Character.BYTES);
      buffer.clear().asCharBuffer().get(chars, at, count);
    }
    return new String(chars);
  }

  private static void readFully(InputStream in, byte[] target, int count) throws IOException {
    if (in.readNBytes(target, 0, count) < count) {
      throw new EOFException("unexpected end of stream inside an array");
    }
  }
}
