/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.tensor;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads the header of an {@code .npy} file of format version 1.0, 2.0 or 3.0. */
final class NpyHeaderReader {
  /** Far more than a valid header needs, unless its shape has tens of thousands of dimensions. */
  static final int MAX_HEADER_BYTES = 1 << 20;

  private static final Set<String> KEYS = Set.of("descr", "fortran_order", "shape");

  private final InputStream in;
  private final String source;
  private long consumed;

  NpyHeaderReader(InputStream in, String source) {
    this.in = in;
    this.source = source;
  }

  /** Reads the header, with {@code as} as dtype unless it is null. */
  NpyHeader read(@Nullable DType as) {
    try {
      checkMagic();
      int version = version();
      return header(dict(text(version)), version, as);
    } catch (IOException e) {
      throw TensorErrors.unreadableFile(source, e);
    }
  }

  private void checkMagic() throws IOException {
    byte[] magic = in.readNBytes(NpyHeader.MAGIC.length());
    consumed += magic.length;
    String found = new String(magic, StandardCharsets.ISO_8859_1);
    if (!NpyHeader.MAGIC.startsWith(found)) {
      throw found.startsWith("PK") ? NpyErrors.npzArchive(source) : NpyErrors.notNpy(source, magic);
    }
    if (magic.length < NpyHeader.MAGIC.length()) {
      throw NpyErrors.npyTruncated(source, "the magic", NpyHeader.MAGIC.length(), magic.length);
    }
  }

  private int version() throws IOException {
    byte[] version = exactly(2, "the version");
    int major = version[0] & 0xff;
    int minor = version[1] & 0xff;
    if (major < 1 || major > 3 || minor != 0) {
      throw NpyErrors.npyVersion(source, major, minor);
    }
    return major;
  }

  private String text(int version) throws IOException {
    byte[] field = exactly(version == 1 ? 2 : 4, "the header's length");
    long length = 0;
    for (int i = field.length - 1; i >= 0; i--) {
      length = length << 8 | (field[i] & 0xff);
    }
    if (length > MAX_HEADER_BYTES) {
      throw NpyErrors.npyHeaderTooLong(source, length, MAX_HEADER_BYTES);
    }
    byte[] bytes = exactly((int) length, "the header");
    return version < 3 ? new String(bytes, StandardCharsets.ISO_8859_1) : utf8(bytes);
  }

  private String utf8(byte[] bytes) {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      throw NpyErrors.npyNotUtf8(source, "the header", e);
    }
  }

  private Map<?, ?> dict(String text) {
    Object literal = PythonLiteral.parse(text, source);
    if (!(literal instanceof Map<?, ?> dict)) {
      throw NpyErrors.npyHeaderSyntax(source, text, 0, "a dict");
    }
    if (!dict.keySet().equals(KEYS)) {
      throw NpyErrors.npyKeys(source, dict.keySet());
    }
    return dict;
  }

  private NpyHeader header(Map<?, ?> dict, int version, @Nullable DType as) {
    NpyDescr descr = descr(dict.get("descr"), as);
    if (!(dict.get("fortran_order") instanceof Boolean fortranOrder)) {
      throw NpyErrors.npyValue(source, "fortran_order", "True or False", dict.get("fortran_order"));
    }
    Shape shape = shape(dict.get("shape"));
    if (Math.multiplyHigh(shape.elements(), (long) descr.itemBytes()) != 0
        || consumed + shape.elements() * descr.itemBytes() < 0) {
      throw NpyErrors.npyTooManyBytes(source, shape, descr.text());
    }
    return new NpyHeader(descr, fortranOrder, shape, version, consumed, source);
  }

  private NpyDescr descr(@Nullable Object value, @Nullable DType as) {
    if (value instanceof List || value instanceof PythonLiteral.Tuple) {
      throw NpyErrors.npyStructured(source);
    }
    if (!(value instanceof String text)) {
      throw NpyErrors.npyValue(source, "descr", "a string such as '<f4'", value);
    }
    return NpyDescr.parse(text, as, source);
  }

  private Shape shape(@Nullable Object value) {
    if (!(value instanceof PythonLiteral.Tuple tuple)
        || !tuple.items().stream().allMatch(item -> item instanceof Long dim && dim >= 0)) {
      throw NpyErrors.npyValue(source, "shape", "a tuple of integers from 0 on", value);
    }
    long[] dims = tuple.items().stream().mapToLong(item -> (Long) item).toArray();
    try {
      return Shape.of(dims);
    } catch (SparkNdException e) {
      throw NpyErrors.npyShape(source, e);
    }
  }

  private byte[] exactly(int bytes, String what) throws IOException {
    byte[] read = in.readNBytes(bytes);
    consumed += read.length;
    if (read.length < bytes) {
      throw NpyErrors.npyTruncated(source, what, bytes, read.length);
    }
    return read;
  }
}
