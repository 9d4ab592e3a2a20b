/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.export;

import io.sparknd.embedding.nearest.VectorMetric;

/**
 * The files of an exported embedding table. Tensors are {@code weight}, {@code [rows, dim]}; {@code
 * scale}, {@code [rows, 1]}, for {@link WeightPrecision#INT8}; and {@code ids}, {@code [rows]}, if
 * ids are keys. Rows are in ascending order of their ids. Formats for SQL are Datasets: {@code
 * table.toDataset().write().parquet(path)}.
 */
public sealed interface ExportFormat permits SafetensorsFormat, OnnxFormat, NpyFormat, HnswFormat {

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

  /** Returns an index for approximate nearest neighbors, with Lucene's default options. */
  static HnswFormat hnsw(VectorMetric metric) {
    return new HnswFormat(
        metric, HnswFormat.DEFAULT_CONNECTIONS, HnswFormat.DEFAULT_CONSTRUCTION_CANDIDATES);
  }
}
