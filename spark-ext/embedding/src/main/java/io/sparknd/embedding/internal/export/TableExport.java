/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.export;

import io.sparknd.embedding.export.ExportFormat;
import io.sparknd.embedding.export.HnswFormat;
import io.sparknd.embedding.export.NpyFormat;
import io.sparknd.embedding.export.OnnxFormat;
import io.sparknd.embedding.export.SafetensorsFormat;
import io.sparknd.embedding.internal.EmbeddingErrors;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Writes the rows of a table in a format. */
public final class TableExport {
  private TableExport() {}

  /** Writes the files and returns them, sorted by name. */
  public static List<Path> run(OrderedRows rows, ExportFormat format, Path directory) {
    return NewDirectory.write(directory, draft -> write(rows, format, draft));
  }

  private static void write(OrderedRows rows, ExportFormat format, Path draft) throws IOException {
    try (RowWriter writer = writer(rows, format, draft)) {
      rows.forEach(writer::append);
      writer.finish();
    }
  }

  private static RowWriter writer(OrderedRows rows, ExportFormat format, Path draft)
      throws IOException {
    if (format instanceof SafetensorsFormat safetensors) {
      return new SafetensorsWriter(draft, SafetensorsShards.of(safetensors, rows));
    }
    if (format instanceof OnnxFormat onnx) {
      return OnnxRowWriter.create(draft, rows, onnx);
    }
    return format instanceof NpyFormat npy
        ? NpyRowWriter.create(draft, rows, npy)
        : hnsw(rows, (HnswFormat) format, draft);
  }

  private static RowWriter hnsw(OrderedRows rows, HnswFormat format, Path draft)
      throws IOException {
    try {
      return HnswRowWriter.create(draft, rows, format);
    } catch (NoClassDefFoundError e) {
      throw EmbeddingErrors.noLucene(e);
    }
  }
}
