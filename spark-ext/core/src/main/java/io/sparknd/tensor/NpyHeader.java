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
 * The header of an {@code .npy} file, as specified in {@code numpy.lib.format}. In file order,
 * element {@code i} occupies the {@link #itemBytes()} bytes at {@link #position}{@code (i)}. A file
 * of any size can be read in ranges with {@link NpyDecoder}.
 */
public final class NpyHeader implements Serializable {
  private static final long serialVersionUID = 1;

  static final String MAGIC = "\u0093NUMPY";
  private static final int ALIGNMENT = 64;

  /** Digits that NumPy reserves for the growing dimension, enough for any 64-bit number. */
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
   * Returns the header that NumPy on a little-endian machine writes for a row-major array. NumPy
   * has no bfloat16: its bits are declared as uint16.
   *
   * @param dtype any except {@link DType#STRING}, which needs {@link #ofStrings}
   * @throws SparkNdException if {@code dtype} is string
   */
  public static NpyHeader of(DType dtype, Shape shape) {
    if (dtype == DType.STRING) {
      throw NpyErrors.npyNeedsWidth();
    }
    return written(NpyDescr.of(dtype), shape);
  }

  /**
   * Returns the header for strings of at most {@code width} Unicode code points ({@link
   * NpyEncoder#width} measures them). Each string takes {@code 4 * width} bytes in the file. As in
   * NumPy, width 0 becomes 1.
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
   * Reads the header of the file {@code path}.
   *
   * @throws SparkNdException if the file is missing, is not an {@code .npy} file, or has a dtype or
   *     shape that no tensor has
   */
  public static NpyHeader read(Path path) {
    try (InputStream in = Files.newInputStream(path)) {
      return read(in, path.toString());
    } catch (IOException e) {
      throw TensorErrors.unreadableFile(path.toString(), e);
    }
  }

  /**
   * Reads a header from {@code in}, which stays open and positioned at the first byte of data.
   *
   * @param source the name of {@code in} in errors
   * @throws SparkNdException if {@code in} is not an {@code .npy} file, or has a dtype or shape
   *     that no tensor has
   */
  public static NpyHeader read(InputStream in, String source) {
    return new NpyHeaderReader(in, source).read(null);
  }

  /**
   * Reads a header from {@code in} for elements of dtype {@code as}, such as bfloat16 from a file
   * that declares {@code <u2} or {@code <V2}.
   *
   * @param as a dtype that {@link Tensor#bitcast} allows, or, if the file declares only {@code V},
   *     any dtype of that number of bytes except bool and string
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

  /** Whether the first dimension varies fastest in the file instead of the last. */
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

  /** The byte position of the first element in the file. */
  public long dataOffset() {
    return dataOffset;
  }

  /** Bytes of one element; for strings, of the declared width. */
  public int itemBytes() {
    return descr.itemBytes();
  }

  /** Bytes of all elements. */
  public long dataBytes() {
    return shape.elements() * itemBytes();
  }

  /** The byte position of element {@code i} in file order. */
  public long position(long i) {
    return dataOffset + i * itemBytes();
  }

  /** The name of the file in errors. */
  public String source() {
    return source;
  }

  /**
   * Checks that a file of {@code bytes} bytes holds all the data. As in NumPy, it may be longer.
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

  /** The bytes that NumPy writes for this header: version 1.0, or 2.0 if too long for 1.0. */
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
    // if the end is already aligned, NumPy pads by 64, not by 0
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

  /** The descr and shape, such as {@code <f4[6, 3]}, and the order if it is Fortran's. */
  @Override
  public String toString() {
    return descr.text() + shape + (fortranOrder ? " in Fortran order" : "");
  }
}
