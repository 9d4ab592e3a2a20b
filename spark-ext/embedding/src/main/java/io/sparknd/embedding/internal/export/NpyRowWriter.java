/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.export;

import io.sparknd.embedding.export.NpyFormat;
import io.sparknd.embedding.internal.rows.RowTile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;

/** Writes one {@code .npy} file a tensor. */
record NpyRowWriter(RowOutputs outputs) implements RowWriter {
  static NpyRowWriter create(Path directory, OrderedRows rows, NpyFormat format) {
    Map<TensorPart, ElementOutput> outputs = new EnumMap<>(TensorPart.class);
    for (ExportTensor tensor : ExportTensor.of(format.precision(), rows, rows.count())) {
      outputs.put(tensor.part(), NpyOutput.open(directory, tensor));
    }
    return new NpyRowWriter(
        new RowOutputs(new WeightEncoder(format.precision(), rows.dim()), outputs));
  }

  @Override
  public void append(RowTile tile) throws IOException {
    outputs.append(tile);
  }

  @Override
  public void finish() throws IOException {
    outputs.finish();
  }

  @Override
  public void close() {
    outputs.release();
  }
}
