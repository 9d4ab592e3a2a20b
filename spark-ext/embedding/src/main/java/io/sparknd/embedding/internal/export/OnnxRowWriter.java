/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.export;

import io.sparknd.embedding.export.OnnxFormat;
import io.sparknd.embedding.internal.rows.RowTile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Writes an ONNX model. The message is written before the rows, with room for the weights in it or
 * in a file beside it.
 */
final class OnnxRowWriter implements RowWriter {
  private static final String FILE = "model.onnx";
  private static final String DATA = FILE + ".data";

  /** Offsets in the file beside are multiples of this, so that tensors can be mapped. */
  private static final int PAGE = 4096;

  private final SectionedFile file;
  private final RowOutputs outputs;

  private OnnxRowWriter(SectionedFile file, RowOutputs outputs) {
    this.file = file;
    this.outputs = outputs;
  }

  static OnnxRowWriter create(Path directory, OrderedRows rows, OnnxFormat format)
      throws IOException {
    List<ExportTensor> all = ExportTensor.of(format.precision(), rows, rows.count());
    List<ExportTensor> weights =
        all.stream().filter(tensor -> tensor.part() != TensorPart.IDS).toList();
    long bytes = weights.stream().mapToLong(ExportTensor::bytes).sum();
    boolean isInline = bytes <= format.inlineBytes();
    Map<TensorPart, ElementOutput> outputs = new EnumMap<>(TensorPart.class);
    SectionedFile file =
        isInline ? inline(directory, weights, outputs) : external(directory, weights, outputs);
    all.stream()
        .filter(tensor -> tensor.part() == TensorPart.IDS)
        .forEach(ids -> outputs.put(TensorPart.IDS, NpyOutput.open(directory, ids)));
    return new OnnxRowWriter(
        file, new RowOutputs(new WeightEncoder(format.precision(), rows.dim()), outputs));
  }

  private static SectionedFile inline(
      Path directory, List<ExportTensor> weights, Map<TensorPart, ElementOutput> outputs)
      throws IOException {
    SectionedFile file = SectionedFile.create(directory.resolve(FILE));
    write(file, new OnnxGather(weights).model(OnnxGather::inline), outputs);
    return file;
  }

  private static SectionedFile external(
      Path directory, List<ExportTensor> weights, Map<TensorPart, ElementOutput> outputs)
      throws IOException {
    SectionedFile data = SectionedFile.create(directory.resolve(DATA));
    Map<ExportTensor, Long> offsets = new HashMap<>();
    for (ExportTensor tensor : weights) {
      offsets.put(tensor, data.align(PAGE));
      outputs.put(tensor.part(), data.reserve(tensor));
    }
    try (SectionedFile model = SectionedFile.create(directory.resolve(FILE))) {
      OnnxGather gather = new OnnxGather(weights);
      write(
          model,
          gather.model(
              tensor ->
                  OnnxGather.external(tensor, DATA, Objects.requireNonNull(offsets.get(tensor)))),
          outputs);
    }
    return data;
  }

  private static void write(
      SectionedFile file, ProtoMessage message, Map<TensorPart, ElementOutput> outputs)
      throws IOException {
    for (ProtoMessage.Segment segment : message.segments()) {
      if (segment instanceof ProtoMessage.Bytes bytes) {
        file.append(bytes.bytes());
      } else if (segment instanceof ProtoMessage.Hole hole) {
        outputs.put(hole.tensor().part(), file.reserve(hole.tensor()));
      }
    }
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
  public void close() throws IOException {
    outputs.release();
    file.close();
  }
}
