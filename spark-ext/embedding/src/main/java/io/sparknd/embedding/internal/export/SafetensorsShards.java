/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.export;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sparknd.embedding.export.SafetensorsFormat;
import io.sparknd.tensor.DType;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/**
 * Names and headers of safetensors files: 8 bytes with the length of the header, the header in
 * JSON, and the tensors.
 *
 * @param perShard rows of a file; the last may have fewer
 * @param count files, at least 1
 */
record SafetensorsShards(SafetensorsFormat format, OrderedRows rows, long perShard, int count) {
  private static final String FILE = "model.safetensors";
  static final String INDEX = FILE + ".index.json";

  /** Headers are padded with spaces to a multiple of this, so that tensors are aligned. */
  private static final int ALIGNMENT = 8;

  private static final ObjectMapper JSON = new ObjectMapper();

  static SafetensorsShards of(SafetensorsFormat format, OrderedRows rows) {
    long rowBytes = bytes(ExportTensor.of(format.precision(), rows, 1));
    long perShard = Math.max(1, format.shardBytes() / rowBytes);
    int count = Math.toIntExact(Math.max(1, -Math.floorDiv(-rows.count(), perShard)));
    return new SafetensorsShards(format, rows, perShard, count);
  }

  private static long bytes(List<ExportTensor> tensors) {
    return tensors.stream().mapToLong(ExportTensor::bytes).sum();
  }

  String file(int shard) {
    return count == 1
        ? FILE
        : String.format(Locale.ROOT, "model-%05d-of-%05d.safetensors", shard + 1, count);
  }

  /**
   * Returns the tensors of a file in its order. The format has no gaps, so larger elements come
   * first: each tensor then begins at a multiple of its elements' size.
   */
  List<ExportTensor> tensors(int shard) {
    long first = shard * perShard;
    long count = Math.min(perShard, rows.count() - first);
    return ExportTensor.of(format.precision(), rows, count).stream()
        .sorted(Comparator.comparingInt(tensor -> -tensor.dtype().storage().bytes()))
        .toList();
  }

  private String name(int shard, ExportTensor tensor) {
    return count == 1 ? tensor.part().toString() : tensor.part() + "." + shard;
  }

  /** Returns the bytes before the tensors of a file, which follow in the order of the header. */
  byte[] header(int shard) throws IOException {
    ObjectNode header = JSON.createObjectNode();
    header.putObject("__metadata__").put("format", "pt");
    long offset = 0;
    for (ExportTensor tensor : tensors(shard)) {
      ObjectNode entry = header.putObject(name(shard, tensor));
      entry.put("dtype", dtype(tensor.dtype()));
      entry.set("shape", JSON.valueToTree(tensor.shape().dims()));
      entry.putArray("data_offsets").add(offset).add(offset + tensor.bytes());
      offset += tensor.bytes();
    }
    byte[] json = JSON.writeValueAsBytes(header);
    int padded = -Math.floorDiv(-json.length, ALIGNMENT) * ALIGNMENT;
    ByteBuffer bytes = ByteBuffer.allocate(Long.BYTES + padded).order(ByteOrder.LITTLE_ENDIAN);
    Arrays.fill(bytes.array(), (byte) ' ');
    return bytes.putLong(padded).put(json).array();
  }

  private static String dtype(DType dtype) {
    return switch (dtype) {
      case FLOAT32 -> "F32";
      case FLOAT16 -> "F16";
      case BFLOAT16 -> "BF16";
      case INT8 -> "I8";
      case INT64 -> "I64";
      default -> throw new IllegalArgumentException(dtype.toString());
    };
  }

  /** Returns the index of several files: the file of each tensor. */
  byte[] index() throws IOException {
    ObjectNode index = JSON.createObjectNode();
    long total = bytes(ExportTensor.of(format.precision(), rows, rows.count()));
    index.putObject("metadata").put("total_size", total);
    ObjectNode files = index.putObject("weight_map");
    for (int shard = 0; shard < count; shard++) {
      for (ExportTensor tensor : tensors(shard)) {
        files.put(name(shard, tensor), file(shard));
      }
    }
    return JSON.writerWithDefaultPrettyPrinter().writeValueAsBytes(index);
  }
}
