/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cli;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.sparknd.cluster.SavedTensorInfo;
import io.sparknd.tensor.NpyHeader;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.Tensor;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What {@code sparknd info} prints. As JSON, names are in snake case, and a component that a format
 * does not have is left out.
 *
 * @param format {@code npy}, {@code arrow} or {@code saved}
 * @param bytes of the elements of an .npy file, of a whole .arrow file, or of all block files
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record TensorSummary(
    String format,
    String dtype,
    List<Long> shape,
    long elements,
    long bytes,
    @Nullable NpyLayout npy,
    @Nullable BlockFiles saved) {

  /**
   * How an .npy file holds the elements.
   *
   * @param version major version of the format
   * @param dataOffset position of the first element, in bytes
   * @param order {@code row-major} or {@code column-major}
   * @param descr the dtype as NumPy writes it, such as {@code <f4}
   */
  record NpyLayout(int version, long dataOffset, String order, String descr) {}

  /**
   * How a directory holds the elements.
   *
   * @param blockBytes the maximum bytes in a block
   */
  record BlockFiles(int partitions, int blockBytes) {}

  static TensorSummary of(NpyHeader header) {
    String order = header.fortranOrder() ? "column-major" : "row-major";
    NpyLayout layout = new NpyLayout(header.version(), header.dataOffset(), order, header.descr());
    String dtype = header.dtype().toString();
    return of("npy", dtype, header.shape(), header.dataBytes(), layout, null);
  }

  static TensorSummary of(Tensor tensor, long fileBytes) {
    return of("arrow", tensor.dtype().toString(), tensor.shape(), fileBytes, null, null);
  }

  static TensorSummary of(SavedTensorInfo info) {
    BlockFiles files = new BlockFiles(info.partitions(), info.blockBytes());
    return of("saved", info.dtype().toString(), info.shape(), info.fileBytes(), null, files);
  }

  private static TensorSummary of(
      String format,
      String dtype,
      Shape shape,
      long bytes,
      @Nullable NpyLayout npy,
      @Nullable BlockFiles saved) {
    List<Long> dims = Arrays.stream(shape.dims()).boxed().toList();
    return new TensorSummary(format, dtype, dims, shape.elements(), bytes, npy, saved);
  }

  /** Returns the lines for people: a name and a value each, in order. */
  Map<String, Object> lines() {
    Map<String, Object> lines = new LinkedHashMap<>();
    lines.put("format", formatText());
    lines.put("dtype", dtype);
    lines.put("shape", shape);
    lines.put("elements", elements);
    lines.put("bytes", npy == null ? bytes : bytes + " from byte " + npy.dataOffset());
    if (npy != null) {
      boolean isFortran = npy.order().equals("column-major");
      lines.put("order", isFortran ? "Fortran (column-major)" : "C (row-major)");
      lines.put("declares", npy.descr() + shape + (isFortran ? " in Fortran order" : ""));
    }
    if (saved != null) {
      lines.put(
          "files", saved.partitions() + " partitions, blocks of " + saved.blockBytes() + " bytes");
    }
    return lines;
  }

  private String formatText() {
    if (npy != null) {
      return ".npy " + npy.version() + ".0";
    }
    return saved == null ? "Arrow IPC, arrow.fixed_shape_tensor" : "saved by SparkND";
  }
}
