/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;

/** Reads a file by the specification of safetensors, and checks that its tensors fill it. */
record SafetensorsFile(JsonNode header, ByteBuffer data) {
  private static final ObjectMapper JSON = new ObjectMapper();

  static SafetensorsFile read(Path path) throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(path)).order(ByteOrder.LITTLE_ENDIAN);
    byte[] json = new byte[Math.toIntExact(bytes.getLong())];
    bytes.get(json);
    assertThat(json[0]).isEqualTo((byte) '{');
    JsonNode header = JSON.readTree(new String(json, StandardCharsets.UTF_8));
    SafetensorsFile file =
        new SafetensorsFile(header, bytes.slice().order(ByteOrder.LITTLE_ENDIAN));
    file.check();
    return file;
  }

  /** The specification forbids gaps between tensors; readers map aligned ones without a copy. */
  private void check() {
    long end = 0;
    for (String name : names()) {
      JsonNode offsets = header.get(name).get("data_offsets");
      assertThat(offsets.get(0).asLong()).isEqualTo(end);
      assertThat(end % bytes(name)).as("alignment of %s", name).isZero();
      end = offsets.get(1).asLong();
      long elements = 1;
      for (long dim : shape(name)) {
        elements *= dim;
      }
      assertThat(end - offsets.get(0).asLong()).isEqualTo(elements * bytes(name));
    }
    assertThat(end).isEqualTo(data.capacity());
  }

  List<String> names() {
    List<String> names = new ArrayList<>();
    header.fieldNames().forEachRemaining(names::add);
    names.remove("__metadata__");
    return names;
  }

  long[] shape(String name) {
    return StreamSupport.stream(header.get(name).get("shape").spliterator(), false)
        .mapToLong(JsonNode::asLong)
        .toArray();
  }

  private String dtype(String name) {
    return header.get(name).get("dtype").asText();
  }

  private int bytes(String name) {
    return switch (dtype(name)) {
      case "I64" -> 8;
      case "F32" -> 4;
      case "F16", "BF16" -> 2;
      case "I8" -> 1;
      default -> throw new AssertionError(dtype(name));
    };
  }

  private int count(String name) {
    JsonNode offsets = header.get(name).get("data_offsets");
    return (offsets.get(1).asInt() - offsets.get(0).asInt()) / bytes(name);
  }

  private int position(String name, int i) {
    return header.get(name).get("data_offsets").get(0).asInt() + i * bytes(name);
  }

  float[] floats(String name) {
    float[] values = new float[count(name)];
    for (int i = 0; i < values.length; i++) {
      int at = position(name, i);
      values[i] =
          switch (dtype(name)) {
            case "F32" -> data.getFloat(at);
            case "F16" -> half(data.getShort(at));
            case "BF16" -> Float.intBitsToFloat(data.getShort(at) << 16);
            case "I8" -> data.get(at);
            default -> throw new AssertionError(dtype(name));
          };
    }
    return values;
  }

  /** Returns the value of an IEEE 754 binary16 by its definition. */
  private static float half(short bits) {
    int exponent = bits >> 10 & 31;
    int fraction = bits & 1023;
    double size =
        exponent == 0
            ? Math.scalb((double) fraction, -24)
            : Math.scalb(1024.0 + fraction, exponent - 25);
    return (float) (bits < 0 ? -size : size);
  }

  long[] longs(String name) {
    assertThat(dtype(name)).isEqualTo("I64");
    return IntStream.range(0, count(name))
        .mapToLong(i -> data.getLong(position(name, i)))
        .toArray();
  }

  /** Returns the file of each tensor by the index of several files. */
  static Map<String, String> index(Path path, long bytes) throws IOException {
    JsonNode index = JSON.readTree(path.toFile());
    assertThat(index.get("metadata").get("total_size").asLong()).isEqualTo(bytes);
    Map<String, String> files = new TreeMap<>();
    index
        .get("weight_map")
        .properties()
        .forEach(entry -> files.put(entry.getKey(), entry.getValue().asText()));
    return files;
  }
}
