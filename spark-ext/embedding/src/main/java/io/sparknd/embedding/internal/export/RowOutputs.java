/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.export;

import io.sparknd.embedding.internal.rows.RowTile;
import java.io.IOException;
import java.util.Map;
import java.util.Objects;

/** The tensors of one file, or of one directory of files, to which rows are appended. */
record RowOutputs(WeightEncoder encoder, Map<TensorPart, ElementOutput> outputs) {
  void append(RowTile tile) throws IOException {
    ElementOutput scale = outputs.get(TensorPart.SCALE);
    float[] scales = scale == null ? new float[0] : encoder.scales(tile);
    if (scale != null) {
      scale.append(scales, tile.count());
    }
    ElementOutput ids = outputs.get(TensorPart.IDS);
    if (ids != null) {
      ids.append(tile.ids(), tile.count());
    }
    Objects.requireNonNull(outputs.get(TensorPart.WEIGHT))
        .append(encoder.weights(tile, scales), tile.count() * encoder.dim());
  }

  /** Completes the tensors. */
  void finish() throws IOException {
    for (ElementOutput output : outputs.values()) {
      output.finish();
    }
  }

  /** Releases resources, also if tensors are not complete. */
  void release() {
    outputs.values().forEach(ElementOutput::release);
  }
}
