/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.kernel;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/**
 * An ONNX model of one operator, serialized as ONNX's {@code onnx.proto}. Field numbers are those
 * of {@code ModelProto}, {@code GraphProto}, {@code NodeProto}, {@code AttributeProto} and {@code
 * ValueInfoProto}.
 */
final class OnnxModel {
  /** {@code TensorProto.DataType}. */
  private static final int INT64 = 7;

  private static final int ATTRIBUTE_INT = 2;
  private static final int ATTRIBUTE_STRING = 3;
  private static final int IR_VERSION = 8;
  private static final int OPSET = 18;

  private final String operator;
  private final int type;
  private final Map<String, Object> attributes;

  /**
   * @param type the element type of {@code x}, as a {@code TensorProto.DataType}
   * @param attributes strings and longs by attribute name
   */
  OnnxModel(String operator, int type, Map<String, Object> attributes) {
    this.operator = operator;
    this.type = type;
    this.attributes = Map.copyOf(attributes);
  }

  /** Returns the model of {@code y = operator(x, indices)}. */
  byte[] bytes(long[] x, long[] indices, long[] y) {
    Message graph = graph(List.of("x", "indices"));
    graph.message(11, value("x", type, x)).message(11, value("indices", INT64, indices));
    return model(graph.message(12, value("y", type, y)));
  }

  /**
   * Returns the model of {@code y = operator(x, indices, updates)}; {@code y} has the shape of
   * {@code x}.
   */
  byte[] bytesWithUpdates(long[] x, long[] indices, long[] updates) {
    Message graph = graph(List.of("x", "indices", "updates"));
    graph.message(11, value("x", type, x)).message(11, value("indices", INT64, indices));
    graph.message(11, value("updates", type, updates));
    return model(graph.message(12, value("y", type, x)));
  }

  private Message graph(List<String> inputs) {
    Message node = new Message();
    inputs.forEach(input -> node.string(1, input));
    node.string(2, "y").string(4, operator);
    attributes.forEach((name, value) -> node.message(5, attribute(name, value)));
    return new Message().message(1, node).string(2, operator);
  }

  private static byte[] model(Message graph) {
    Message opset = new Message().string(1, "").number(2, OPSET);
    return new Message().number(1, IR_VERSION).message(7, graph).message(8, opset).bytes();
  }

  private static Message attribute(String name, Object value) {
    Message attribute = new Message().string(1, name);
    return value instanceof Long number
        ? attribute.number(3, number).number(20, ATTRIBUTE_INT)
        : attribute.string(4, value.toString()).number(20, ATTRIBUTE_STRING);
  }

  private static Message value(String name, int type, long[] dims) {
    Message shape = new Message();
    for (long dim : dims) {
      shape.message(1, new Message().number(1, dim));
    }
    Message tensor = new Message().number(1, type).message(2, shape);
    return new Message().string(1, name).message(2, new Message().message(1, tensor));
  }

  /** A protobuf message: numbers are varints, other fields are length-delimited. */
  private static final class Message {
    private static final int VARINT = 0;
    private static final int DELIMITED = 2;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    Message number(int field, long value) {
      varint((long) field << 3 | VARINT);
      varint(value);
      return this;
    }

    Message string(int field, String value) {
      return delimited(field, value.getBytes(StandardCharsets.UTF_8));
    }

    Message message(int field, Message value) {
      return delimited(field, value.bytes());
    }

    private Message delimited(int field, byte[] value) {
      varint((long) field << 3 | DELIMITED);
      varint(value.length);
      out.writeBytes(value);
      return this;
    }

    private void varint(long value) {
      long rest = value;
      while ((rest & ~0x7FL) != 0) {
        out.write((int) (rest & 0x7F | 0x80));
        rest >>>= 7;
      }
      out.write((int) rest);
    }

    byte[] bytes() {
      return out.toByteArray();
    }
  }
}
