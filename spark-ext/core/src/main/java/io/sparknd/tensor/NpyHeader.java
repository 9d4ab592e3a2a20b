/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.tensor;

import java.io.IOException;
import java.io.InputStream;
import java.io.Serializable;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/**
 * What stands before the data of an {@code .npy} file, as specified in {@code numpy.lib.format}.
 * Element {@code i} in the file's own order is the {@link #itemBytes()} bytes at {@link
 * #position}{@code (i)}; {@link NpyDecoder} reads them, so that a file of any size can be read by
 * ranges.
 */
public final class NpyHeader implements Serializable {
  private static final long serialVersionUID = 1;

  static final String MAGIC = "\u0093NUMPY";
  private static final int ALIGNMENT = 64;

  /** NumPy leaves room for the growing dimension to become any 64-bit number. */
  private static final int GROWTH_DIGITS = 21;

  private final NpyDescr descr;
  private final boolean fortranOrder;
  private final Shape shape;
  private final int version;
  private final long dataOffset;
  private final String source;

  NpyHeader(
      NpyDescr descr,
      boolean fortranOrder,
      Shape shape,
      int version,
      long dataOffset,
      String source) {
    this.descr = descr;
    this.fortranOrder = fortranOrder;
    this.shape = shape;
    this.version = version;
    this.dataOffset = dataOffset;
    this.source = source;
  }

  /**
   * The header that NumPy on a little-endian machine writes for a row-major array. NumPy has no
   * bfloat16: its bits are declared as uint16.
   *
   * @param dtype any but {@link DType#STRING}, for which there is {@link #ofStrings}
   * @throws SparkNdException if {@code dtype} is string
   */
  public static NpyHeader of(DType dtype, Shape shape) {
    if (dtype == DType.STRING) {
      throw NpyErrors.npyNeedsWidth();
    }
    return written(NpyDescr.of(dtype), shape);
  }

  /**
   * The header of strings of at most {@code width} Unicode code points ({@link NpyEncoder#width}
   * measures them). The file takes {@code 4 * width} bytes for each; as in NumPy, width 0 becomes
   * 1.
   */
  public static NpyHeader ofStrings(Shape shape, int width) {
    if (width < 0 || width > Storage.MAX_LENGTH / 4) {
      throw NpyErrors.npyBadWidth(width);
    }
    return written(NpyDescr.strings(Math.max(width, 1)), shape);
  }

  private static NpyHeader written(NpyDescr descr, Shape shape) {
    String source = "an .npy file to be written";
    NpyHeader draft = new NpyHeader(descr, false, shape, 1, 0, source);
    byte[] bytes = draft.encoded();
    return new NpyHeader(descr, false, shape, bytes[MAGIC.length()], bytes.length, source);
  }

  /**
   * The header of the file {@code path}.
   *
   * @throws SparkNdException if the file is missing, is no {@code .npy}, or holds what no tensor
   *     can
   */
  public static NpyHeader read(Path path) {
    try (InputStream in = Files.newInputStream(path)) {
      return read(in, path.toString());
    } catch (IOException e) {
      throw TensorErrors.unreadableFile(path.toString(), e);
    }
  }

  /**
   * The header at the start of {@code in}, which is left at the first byte of data and open.
   *
   * @param source the name of {@code in} in errors
   * @throws SparkNdException if {@code in} is no {@code .npy}, or holds what no tensor can
   */
  public static NpyHeader read(InputStream in, String source) {
    return new NpyHeaderReader(in, source).read(null);
  }

  /**
   * As {@link #read(InputStream, String)}, with elements read as {@code as}: bfloat16 from a file
   * that says {@code <u2} or {@code <V2}, for one.
   *
   * @param as a dtype that {@link Tensor#bitcast} would allow, or any of the right number of bytes
   *     where the file says only {@code V}
   */
  public static NpyHeader read(InputStream in, String source, DType as) {
    return new NpyHeaderReader(in, source).read(as);
  }

  /** NumPy's name for the element type, such as {@code <f4}. */
  public String descr() {
    return descr.text();
  }

  public DType dtype() {
    return descr.dtype();
  }

  public ByteOrder byteOrder() {
    return descr.byteOrder();
  }

  /** Whether the first dimension varies fastest in the file, instead of the last. */
  public boolean fortranOrder() {
    return fortranOrder;
  }

  public Shape shape() {
    return shape;
  }

  /** The major version of the format: 1, 2 or 3. */
  public int version() {
    return version;
  }

  /** The position in bytes of the first element. */
  public long dataOffset() {
    return dataOffset;
  }

  /** Bytes of one element: for strings, those of the longest. */
  public int itemBytes() {
    return descr.itemBytes();
  }

  /** Bytes of all elements. */
  public long dataBytes() {
    return shape.elements() * itemBytes();
  }

  /** The position in bytes of element {@code i} of the file's own order. */
  public long position(long i) {
    return dataOffset + i * itemBytes();
  }

  /** The name of the file in errors. */
  public String source() {
    return source;
  }

  /**
   * Checks that a file of {@code bytes} bytes holds all the data; more is allowed, as in NumPy.
   *
   * @throws SparkNdException if it is shorter
   */
  public void checkFileSize(long bytes) {
    if (bytes - dataOffset < dataBytes()) {
      throw NpyErrors.npyTruncated(
          source, "the data", dataBytes(), Math.max(0, bytes - dataOffset));
    }
  }

  NpyDescr.Layout layout() {
    return descr.layout();
  }

  /** The bytes that NumPy writes for this header: version 1.0, or 2.0 where it is too long. */
  byte[] encoded() {
    byte[] dict = dict().getBytes(StandardCharsets.ISO_8859_1);
    byte[] one = encoded(dict, 1, Short.BYTES);
    return one.length <= 0xffff + MAGIC.length() + 2 + Short.BYTES
        ? one
        : encoded(dict, 2, Integer.BYTES);
  }

  private static byte[] encoded(byte[] dict, int version, int lengthBytes) {
    int prefix = MAGIC.length() + 2 + lengthBytes;
    int unpadded = prefix + dict.length + 1;
    // NumPy pads by 64, not by 0, where the end is aligned already
    int total = unpadded + ALIGNMENT - unpadded % ALIGNMENT;
    ByteBuffer bytes = ByteBuffer.allocate(total).order(ByteOrder.LITTLE_ENDIAN);
    bytes.put(MAGIC.getBytes(StandardCharsets.ISO_8859_1)).put((byte) version).put((byte) 0);
    if (lengthBytes == Short.BYTES) {
      bytes.putShort((short) (total - prefix));
    } else {
      bytes.putInt(total - prefix);
    }
    bytes.put(dict);
    bytes.put(" ".repeat(total - unpadded).getBytes(StandardCharsets.ISO_8859_1));
    return bytes.put((byte) '\n').array();
  }

  private String dict() {
    String dict =
        String.format(
            "{'descr': '%s', 'fortran_order': %s, 'shape': %s, }",
            descr.text(), fortranOrder ? "True" : "False", tuple());
    if (shape.rank() == 0) {
      return dict;
    }
    long growing = shape.dim(fortranOrder ? shape.rank() - 1 : 0);
    return dict + " ".repeat(GROWTH_DIGITS - Long.toString(growing).length());
  }

  private String tuple() {
    if (shape.rank() == 1) {
      return "(" + shape.dim(0) + ",)";
    }
    return LongStream.of(shape.dims())
        .mapToObj(Long::toString)
        .collect(Collectors.joining(", ", "(", ")"));
  }

  /** As NumPy would print it: {@code <f4[6, 3]}, followed by what is out of the ordinary. */
  @Override
  public String toString() {
    return descr.text() + shape + (fortranOrder ? " in Fortran order" : "");
  }
}
