/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.export;

import io.sparknd.tensor.DType;
import java.util.List;
import java.util.function.Function;

/**
 * The ONNX model that gathers rows, as a message of ONNX's {@code onnx.proto}. Field numbers are
 * those of {@code ModelProto}, {@code GraphProto}, {@code NodeProto}, {@code AttributeProto},
 * {@code TensorProto}, {@code ValueInfoProto} and {@code StringStringEntryProto}.
 *
 * @param weights {@code [rows, dim]}, then {@code [rows, 1]} if there are scales
 */
record OnnxGather(List<ExportTensor> weights) {
  private static final int IR_VERSION = 8;
  private static final int OPSET = 17;
  private static final int ATTRIBUTE_INT = 2;
  private static final int EXTERNAL = 1;
  private static final String ROWS = "rows";
  private static final String RESULT = "embedding";

  /** Returns the model; {@code data} adds the elements of a tensor to its {@code TensorProto}. */
  ProtoMessage model(Function<ExportTensor, ProtoMessage> data) {
    ProtoMessage opset = new ProtoMessage().string(1, "").number(2, OPSET);
    return new ProtoMessage()
        .number(1, IR_VERSION)
        .string(2, "sparknd")
        .message(8, opset)
        .message(7, graph(data));
  }

  private ProtoMessage graph(Function<ExportTensor, ProtoMessage> data) {
    ProtoMessage graph = new ProtoMessage().string(2, "embedding_lookup");
    addNodes(graph);
    long dim = weights.get(0).shape().dim(1);
    ProtoMessage shape = new ProtoMessage().message(1, new ProtoMessage().string(2, "n"));
    graph.message(11, value(ROWS, DType.INT64, shape));
    shape.message(1, new ProtoMessage().number(1, dim));
    graph.message(12, value(RESULT, DType.FLOAT32, shape));
    weights.forEach(tensor -> graph.message(5, data.apply(tensor)));
    return graph;
  }

  private void addNodes(ProtoMessage graph) {
    boolean isFloat = weights.get(0).dtype() == DType.FLOAT32;
    boolean isScaled = weights.size() > 1;
    graph.message(1, gather(TensorPart.WEIGHT, isFloat ? RESULT : "stored"));
    if (!isFloat) {
      ProtoMessage to =
          new ProtoMessage()
              .string(1, "to")
              .number(3, type(DType.FLOAT32))
              .number(20, ATTRIBUTE_INT);
      ProtoMessage cast = node("Cast", List.of("stored"), isScaled ? "unscaled" : RESULT);
      graph.message(1, cast.message(5, to));
    }
    if (isScaled) {
      graph.message(1, gather(TensorPart.SCALE, "scales"));
      graph.message(1, node("Mul", List.of("unscaled", "scales"), RESULT));
    }
  }

  private static ProtoMessage gather(TensorPart from, String output) {
    return node("Gather", List.of(from.toString(), ROWS), output);
  }

  private static ProtoMessage node(String operator, List<String> inputs, String output) {
    ProtoMessage node = new ProtoMessage();
    inputs.forEach(input -> node.string(1, input));
    return node.string(2, output).string(3, operator + "_" + output).string(4, operator);
  }

  private static ProtoMessage value(String name, DType dtype, ProtoMessage shape) {
    ProtoMessage tensor = new ProtoMessage().number(1, type(dtype)).message(2, shape);
    return new ProtoMessage().string(1, name).message(2, new ProtoMessage().message(1, tensor));
  }

  /** Returns the tensor with its elements in the message. */
  static ProtoMessage inline(ExportTensor tensor) {
    return description(tensor).tensor(9, tensor);
  }

  /** Returns the tensor with its elements at {@code offset} of {@code file}. */
  static ProtoMessage external(ExportTensor tensor, String file, long offset) {
    return description(tensor)
        .message(13, entry("location", file))
        .message(13, entry("offset", Long.toString(offset)))
        .message(13, entry("length", Long.toString(tensor.bytes())))
        .number(14, EXTERNAL);
  }

  private static ProtoMessage description(ExportTensor tensor) {
    ProtoMessage description = new ProtoMessage();
    for (long dim : tensor.shape().dims()) {
      description.number(1, dim);
    }
    return description.number(2, type(tensor.dtype())).string(8, tensor.part().toString());
  }

  private static ProtoMessage entry(String key, String value) {
    return new ProtoMessage().string(1, key).string(2, value);
  }

  /** Returns the number of {@code TensorProto.DataType}. */
  private static int type(DType dtype) {
    return switch (dtype) {
      case FLOAT32 -> 1;
      case INT8 -> 3;
      case INT64 -> 7;
      case FLOAT16 -> 10;
      case BFLOAT16 -> 16;
      default -> throw new IllegalArgumentException(dtype.toString());
    };
  }
}
