/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.arrow;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.channels.Channels;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.complex.FixedSizeListVector;
import org.apache.arrow.vector.ipc.ArrowFileWriter;
import org.apache.arrow.vector.ipc.ArrowStreamReader;
import org.apache.arrow.vector.ipc.ArrowStreamWriter;
import org.apache.arrow.vector.ipc.ArrowWriter;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;

/** Reads and writes streams with Arrow's own classes, without SparkND. */
final class ForeignStreams {
  private ForeignStreams() {}

  static List<Integer> batchRows(byte[] stream, BufferAllocator allocator) throws IOException {
    List<Integer> rows = new ArrayList<>();
    try (var reader = new ArrowStreamReader(new ByteArrayInputStream(stream), allocator)) {
      while (reader.loadNextBatch()) {
        rows.add(reader.getVectorSchemaRoot().getRowCount());
      }
    }
    return rows;
  }

  /**
   * Returns a tensor column as Arrow's C++ library declares it: lists, with the tensor type in
   * metadata.
   */
  static Field field(String name, int listSize, ArrowType elements, String parameters) {
    Map<String, String> metadata =
        Map.of(
            "ARROW:extension:name",
            "arrow.fixed_shape_tensor",
            "ARROW:extension:metadata",
            parameters);
    return new Field(
        name,
        new FieldType(true, new ArrowType.FixedSizeList(listSize), null, metadata),
        List.of(Field.nullable("item", elements)));
  }

  static byte[] stream(
      BufferAllocator allocator, Consumer<FixedSizeListVector> fill, Field... fields) {
    return write(allocator, fill, false, fields);
  }

  static byte[] file(
      BufferAllocator allocator, Consumer<FixedSizeListVector> fill, Field... fields) {
    return write(allocator, fill, true, fields);
  }

  private static byte[] write(
      BufferAllocator allocator,
      Consumer<FixedSizeListVector> fill,
      boolean asFile,
      Field... fields) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (VectorSchemaRoot root = VectorSchemaRoot.create(new Schema(List.of(fields)), allocator);
        ArrowWriter writer =
            asFile
                ? new ArrowFileWriter(root, null, Channels.newChannel(out))
                : new ArrowStreamWriter(root, null, out)) {
      root.allocateNew();
      root.getFieldVectors().forEach(vector -> fill.accept((FixedSizeListVector) vector));
      root.setRowCount(root.getVector(0).getValueCount());
      writer.writeBatch();
      writer.end();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    return out.toByteArray();
  }
}
