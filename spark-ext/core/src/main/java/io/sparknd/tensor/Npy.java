/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.tensor;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * NumPy's {@code .npy} files (format versions 1.0 to 3.0, as specified in {@code
 * numpy.lib.format}), a whole tensor at a time; {@link NpyHeader}, {@link NpyDecoder} and {@link
 * NpyWriter} are for files larger than an array.
 *
 * <p>NumPy has no bfloat16: such a tensor is written as uint16 bits, and read back with {@code
 * Npy.read(path, DType.BFLOAT16)}. Strings are written as {@code U}, and read from {@code U} and
 * (as UTF-8) from {@code S}; as in NumPy, NULs at the end of a string are lost.
 */
public final class Npy {
  /** What a stream must hold before more than this is allocated for it. */
  private static final int TRUSTED_BYTES = 1 << 26;

  private Npy() {}

  /**
   * The tensor in the file {@code path}; Fortran order becomes row-major.
   *
   * @throws SparkNdException if the file is missing, malformed or truncated, holds what no tensor
   *     can, or has more elements than one array
   */
  public static Tensor read(Path path) {
    return readFile(path, null);
  }

  /**
   * As {@link #read(Path)}, with elements read as {@code as}: bfloat16 from a file that says {@code
   * <u2} or {@code <V2}, for one.
   *
   * @param as a dtype that {@link Tensor#bitcast} would allow, or any of the right number of bytes
   *     where the file says only {@code V}
   */
  public static Tensor read(Path path, DType as) {
    return readFile(path, as);
  }

  /**
   * The tensor at the start of {@code in}, which is left at the first byte after it and open.
   *
   * @param source the name of {@code in} in errors
   */
  public static Tensor read(InputStream in, String source) {
    return readData(in, NpyHeader.read(in, source), TRUSTED_BYTES);
  }

  /** As {@link #read(InputStream, String)}, with elements read as {@code as}. */
  public static Tensor read(InputStream in, String source, DType as) {
    return readData(in, NpyHeader.read(in, source, as), TRUSTED_BYTES);
  }

  private static Tensor readFile(Path path, DType as) {
    try (InputStream in = new BufferedInputStream(Files.newInputStream(path))) {
      NpyHeader header = new NpyHeaderReader(in, path.toString()).read(as);
      if (!Files.isRegularFile(path)) {
        return readData(in, header, TRUSTED_BYTES);
      }
      Tensor.units(header.dtype(), header.shape());
      header.checkFileSize(Files.size(path));
      return readData(in, header, header.dataBytes());
    } catch (IOException e) {
      throw TensorErrors.unreadableFile(path.toString(), e);
    }
  }

  private static Tensor readData(InputStream in, NpyHeader header, long trustedBytes) {
    DType dtype = header.dtype();
    Object array = readArray(in, header, trustedBytes);
    boolean reorder = header.fortranOrder() && header.shape().rank() > 1;
    return Tensor.wrap(
        dtype,
        header.shape(),
        reorder ? FortranOrder.toRowMajor(dtype, header.shape(), array) : array);
  }

  /** All elements in the file's order, in an array that grows with what was found to be there. */
  private static Object readArray(InputStream in, NpyHeader header, long trustedBytes) {
    DType dtype = header.dtype();
    Tensor.units(dtype, header.shape());
    int elements = (int) header.shape().elements();
    long trusted = trustedBytes / Math.max(1, header.itemBytes());
    NpyDecoder decoder = new NpyDecoder(header);
    int done = 0;
    Object array = dtype.storage().allocate(0);
    while (done < elements) {
      int count = (int) Math.min(elements - done, Math.max(1, Math.max(trusted, done)));
      array = grown(dtype, array, done, count);
      decoder.read(in, count, array, done * dtype.units());
      done += count;
    }
    return array;
  }

  private static Object grown(DType dtype, Object array, int elements, int more) {
    Object grown = dtype.storage().allocate((elements + more) * dtype.units());
    System.arraycopy(array, 0, grown, 0, elements * dtype.units());
    return grown;
  }

  /**
   * Writes {@code tensor} to {@code path}, byte for byte as NumPy does. A file that is there is
   * replaced in one step, when the new one is complete.
   *
   * @throws SparkNdException if it cannot be written
   */
  public static void write(Tensor tensor, Path path) {
    try (NpyWriter writer = NpyWriter.open(path, header(tensor))) {
      append(tensor, writer);
    }
  }

  /**
   * Writes {@code tensor} to {@code out}, which is flushed and left open.
   *
   * @throws SparkNdException if it cannot be written
   */
  public static void write(Tensor tensor, OutputStream out) {
    try (NpyWriter writer = NpyWriter.open(out, "an output stream", header(tensor))) {
      append(tensor, writer);
    }
  }

  private static NpyHeader header(Tensor tensor) {
    return tensor.array() instanceof String[] strings
        ? NpyHeader.ofStrings(tensor.shape(), NpyEncoder.width(strings, 0, strings.length))
        : NpyHeader.of(tensor.dtype(), tensor.shape());
  }

  private static void append(Tensor tensor, NpyWriter writer) {
    writer.append(tensor.array(), 0, tensor.elements() * tensor.dtype().units());
  }
}
