/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.export;

import io.sparknd.embedding.internal.rows.RowTile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;

/** Writes safetensors files one after the other. */
final class SafetensorsWriter implements RowWriter {
  private final Path directory;
  private final SafetensorsShards shards;
  private final WeightEncoder encoder;
  private int shard;
  private long written;
  private SectionedFile file;
  private RowOutputs outputs;

  SafetensorsWriter(Path directory, SafetensorsShards shards) throws IOException {
    this.directory = directory;
    this.shards = shards;
    this.encoder = new WeightEncoder(shards.format().precision(), shards.rows().dim());
    this.file = SectionedFile.create(directory.resolve(shards.file(0)));
    this.outputs = begin();
  }

  private RowOutputs begin() throws IOException {
    file.append(shards.header(shard));
    Map<TensorPart, ElementOutput> tensors = new EnumMap<>(TensorPart.class);
    for (ExportTensor tensor : shards.tensors(shard)) {
      tensors.put(tensor.part(), file.reserve(tensor));
    }
    return new RowOutputs(encoder, tensors);
  }

  @Override
  public void append(RowTile tile) throws IOException {
    int from = 0;
    while (from < tile.count()) {
      if (written == shards.perShard()) {
        next();
      }
      int to = (int) Math.min(tile.count(), from + shards.perShard() - written);
      outputs.append(part(tile, from, to));
      written += to - from;
      from = to;
    }
  }

  private RowTile part(RowTile tile, int from, int to) {
    if (from == 0 && to == tile.count()) {
      return tile;
    }
    int dim = encoder.dim();
    return new RowTile(
        to - from,
        Arrays.copyOfRange(tile.ids(), from, to),
        Arrays.copyOfRange(tile.weights(), from * dim, to * dim));
  }

  private void next() throws IOException {
    outputs.finish();
    file.close();
    shard++;
    written = 0;
    file = SectionedFile.create(directory.resolve(shards.file(shard)));
    outputs = begin();
  }

  @Override
  public void finish() throws IOException {
    outputs.finish();
    if (shards.count() > 1) {
      Files.write(directory.resolve(SafetensorsShards.INDEX), shards.index());
    }
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
