/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.tensor;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.IntBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/**
 * Decodes any range of elements of an {@code .npy} file into units of an array, in file order. Byte
 * strings ({@code S}) are read as UTF-8, which includes ASCII. Not thread-safe.
 */
public final class NpyDecoder {
  static final int CHUNK_BYTES = 1 << 18;

  private final NpyHeader header;
  private byte[] chunk = {};

  public NpyDecoder(NpyHeader header) {
    this.header = header;
  }

  /**
   * Reads elements from {@code in}, positioned at {@code header.position(i)} for some {@code i}.
   *
   * @param elements the number of elements
   * @param array an array of {@code header.dtype().storage()}
   * @param unit the unit of {@code array} to write the first element to
   * @throws SparkNdException if {@code in} ends early, cannot be read, or holds a malformed string
   */
  public void read(InputStream in, int elements, Object array, int unit) {
    try {
      int perChunk = Math.max(1, CHUNK_BYTES / Math.max(1, header.itemBytes()));
      for (int done = 0; done < elements; done += Math.min(perChunk, elements - done)) {
        int count = Math.min(perChunk, elements - done);
        decode(fill(in, count), count, array, unit + done * header.dtype().units());
      }
    } catch (IOException e) {
      throw TensorErrors.unreadableFile(header.source(), e);
    }
  }

  private ByteBuffer fill(InputStream in, int elements) throws IOException {
    int bytes = elements * header.itemBytes();
    if (bytes > CHUNK_BYTES) {
      // one very wide string: readNBytes allocates only for bytes that are present
      return ByteBuffer.wrap(in.readNBytes(bytes));
    }
    if (chunk.length < bytes) {
      chunk = new byte[bytes];
    }
    return ByteBuffer.wrap(chunk, 0, in.readNBytes(chunk, 0, bytes));
  }

  /**
   * Decodes the next elements of {@code bytes} and advances its position past them. The buffer's
   * byte order is ignored; the header's applies.
   *
   * @param elements the number of elements
   * @param array an array of {@code header.dtype().storage()}
   * @param unit the unit of {@code array} to write the first element to
   * @throws SparkNdException if {@code bytes} has too few bytes, or a string is malformed
   */
  public void decode(ByteBuffer bytes, int elements, Object array, int unit) {
    DType dtype = header.dtype();
    if (!dtype.storage().holds(array)) {
      throw TensorErrors.wrongStorage(dtype, array);
    }
    long length = (long) elements * header.itemBytes();
    if (bytes.remaining() < length) {
      throw NpyErrors.npyTruncated(header.source(), "the data", length, bytes.remaining());
    }
    ByteBuffer data = bytes.slice(bytes.position(), (int) length).order(header.byteOrder());
    int units = elements * dtype.units();
    switch (dtype.storage()) {
      case BYTE -> data.get((byte[]) array, unit, units);
      case SHORT -> data.asShortBuffer().get((short[]) array, unit, units);
      case INT -> data.asIntBuffer().get((int[]) array, unit, units);
      case LONG -> data.asLongBuffer().get((long[]) array, unit, units);
      case FLOAT -> data.asFloatBuffer().get((float[]) array, unit, units);
      case DOUBLE -> data.asDoubleBuffer().get((double[]) array, unit, units);
      case STRING -> strings(data, elements, (String[]) array, unit);
    }
    if (dtype == DType.BOOL) {
      toZeroOrOne((byte[]) array, unit, unit + units);
    }
    bytes.position(bytes.position() + (int) length);
  }

  /** Maps nonzero bytes to 1: NumPy reads any nonzero byte as true, tensors hold only 0 and 1. */
  private static void toZeroOrOne(byte[] bools, int from, int to) {
    for (int i = from; i < to; i++) {
      bools[i] = (byte) (bools[i] == 0 ? 0 : 1);
    }
  }

  private void strings(ByteBuffer data, int elements, String[] array, int unit) {
    boolean utf8 = header.layout() == NpyDescr.Layout.BYTE_STRING;
    byte[] bytes = new byte[utf8 ? header.itemBytes() : 0];
    int[] points = new int[utf8 ? 0 : header.itemBytes() / 4];
    IntBuffer ints = data.asIntBuffer();
    for (int i = 0; i < elements; i++) {
      if (utf8) {
        data.get(bytes);
        array[unit + i] = fromUtf8(bytes);
      } else {
        ints.get(points);
        array[unit + i] = fromUtf32(points);
      }
    }
  }

  private String fromUtf8(byte[] padded) {
    int length = padded.length;
    while (length > 0 && padded[length - 1] == 0) {
      length--;
    }
    try {
      ByteBuffer text = ByteBuffer.wrap(padded, 0, length);
      return StandardCharsets.UTF_8.newDecoder().decode(text).toString();
    } catch (CharacterCodingException e) {
      throw NpyErrors.npyNotUtf8(header.source(), "a byte string", e);
    }
  }

  private String fromUtf32(int[] padded) {
    int length = padded.length;
    while (length > 0 && padded[length - 1] == 0) {
      length--;
    }
    for (int i = 0; i < length; i++) {
      if (!Character.isValidCodePoint(padded[i])) {
        throw NpyErrors.npyBadCodePoint(header.source(), padded[i]);
      }
    }
    return new String(padded, 0, length);
  }
}
