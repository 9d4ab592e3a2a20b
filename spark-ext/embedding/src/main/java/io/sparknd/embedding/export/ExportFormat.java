/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.export;

/**
 * The files of an exported embedding table. Tensors are {@code weight}, {@code [rows, dim]}; {@code
 * scale}, {@code [rows, 1]}, for {@link WeightPrecision#INT8}; and {@code ids}, {@code [rows]}, if
 * ids are keys. Rows are in ascending order of their ids. Formats for SQL are Datasets: {@code
 * table.toDataset().write().parquet(path)}.
 */
public sealed interface ExportFormat permits SafetensorsFormat, OnnxFormat, NpyFormat {
  WeightPrecision precision();

  ExportFormat withPrecision(WeightPrecision precision);

  /** Returns {@code safetensors} files of float32 weights. */
  static SafetensorsFormat safetensors() {
    return new SafetensorsFormat(WeightPrecision.FLOAT32, SafetensorsFormat.DEFAULT_SHARD_BYTES);
  }

  /** Returns an ONNX model that gathers float32 weights. */
  static OnnxFormat onnx() {
    return new OnnxFormat(WeightPrecision.FLOAT32, OnnxFormat.MAX_INLINE_BYTES);
  }

  /** Returns {@code .npy} files of float32 weights. */
  static NpyFormat npy() {
    return new NpyFormat(WeightPrecision.FLOAT32);
  }
}
