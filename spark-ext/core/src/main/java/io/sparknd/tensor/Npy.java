/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.tensor;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes whole tensors as NumPy {@code .npy} files (format versions 1.0 to 3.0, as
 * specified in {@code numpy.lib.format}). For files larger than one array, use {@link NpyHeader},
 * {@link NpyDecoder} and {@link NpyWriter}.
 *
 * <p>NumPy has no bfloat16: a bfloat16 tensor is written as uint16 bits, and read back with {@code
 * Npy.read(path, DType.BFLOAT16)}. Strings are written as {@code U}, and read from {@code U} and
 * (as UTF-8) from {@code S}, without NULs at their end, which NumPy pads with; one that ends in NUL
 * is not written.
 */
public final class Npy {
  /** Bytes allocated for a stream before reading; more is allocated only as data arrives. */
  private static final int TRUSTED_BYTES = 1 << 26;

  private Npy() {}

  /**
   * Reads the tensor in the file {@code path}; Fortran order is converted to row-major.
   *
   * @throws SparkNdException if the file is missing, malformed or truncated, has a dtype that no
   *     tensor has, or has more elements than one array can hold
   */
  public static Tensor read(Path path) {
    return readFile(path, null);
  }

  /**
   * Reads the tensor in the file {@code path} with elements of dtype {@code as}, such as bfloat16
   * from a file that declares {@code <u2} or {@code <V2}.
   *
   * @param as a dtype that {@link Tensor#bitcast} allows, or, if the file declares only {@code V},
   *     any dtype of that number of bytes except bool and string
   */
  public static Tensor read(Path path, DType as) {
    return readFile(path, as);
  }

  /**
   * Reads a tensor from {@code in}, which stays open and positioned at the first byte after it.
   *
   * @param source the name of {@code in} in errors
   */
  public static Tensor read(InputStream in, String source) {
    return readData(in, NpyHeader.read(in, source), TRUSTED_BYTES);
  }

  /** Reads a tensor from {@code in} with elements of dtype {@code as}. */
  public static Tensor read(InputStream in, String source, DType as) {
    return readData(in, NpyHeader.read(in, source, as), TRUSTED_BYTES);
  }

  private static Tensor readFile(Path path, @Nullable DType as) {
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

  /** Reads all elements in file order into an array that grows as data arrives. */
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
   * Writes {@code tensor} to {@code path}, byte for byte as NumPy does. An existing file is
   * replaced atomically once the new one is complete.
   *
   * @throws SparkNdException if the file cannot be written
   */
  public static void write(Tensor tensor, Path path) {
    try (NpyWriter writer = NpyWriter.open(path, header(tensor))) {
      append(tensor, writer);
    }
  }

  /**
   * Writes {@code tensor} to {@code out}, which is flushed and left open.
   *
   * @throws SparkNdException if {@code out} cannot be written
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
