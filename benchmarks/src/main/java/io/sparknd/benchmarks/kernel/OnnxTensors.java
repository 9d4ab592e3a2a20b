/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.kernel;

import ai.onnxruntime.OnnxJavaType;
import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.stream.Stream;

/** Tensors of ONNX Runtime with the elements of a benchmark: in direct buffers, or strings. */
final class OnnxTensors {
  private final OrtEnvironment environment = OrtEnvironment.getEnvironment();
  private final WorkType type;

  OnnxTensors(WorkType type) {
    this.type = type;
  }

  /** The element type as ONNX's {@code TensorProto.DataType}. */
  int protoType() {
    return switch (type) {
      case FLOAT32 -> 1;
      case INT8 -> 3;
      case STRING -> 8;
      case FLOAT16 -> 10;
      case BFLOAT16 -> 16;
    };
  }

  /** Returns the initial tensor. */
  OnnxTensor initial(Operands operands) throws OrtException {
    long[] dims = operands.work().dims();
    return type == WorkType.STRING
        ? strings(operands.tensor(), dims)
        : numbers(operands.directTensor(), dims);
  }

  /** Returns the updates. */
  OnnxTensor updates(Operands operands) throws OrtException {
    long[] dims = operands.work().rowDims();
    return type == WorkType.STRING
        ? strings(operands.updates(), dims)
        : numbers(operands.directUpdates(), dims);
  }

  /** Returns a result of zeros or empty strings. */
  OnnxTensor result(Work work) throws OrtException {
    int elements = work.rowElements();
    return type == WorkType.STRING
        ? strings(type.storage().allocate(elements), work.rowDims())
        : numbers(Direct.zeros(elements, type.storage().bytes()), work.rowDims());
  }

  /** Returns index tuples. */
  OnnxTensor tuples(Operands operands) throws OrtException {
    return OnnxTensor.createTensor(
        environment, Direct.of(operands.tuples()).asLongBuffer(), operands.work().tupleDims());
  }

  private OnnxTensor strings(Object array, long[] dims) throws OrtException {
    return OnnxTensor.createTensor(environment, (String[]) array, dims);
  }

  private OnnxTensor numbers(ByteBuffer buffer, long[] dims) throws OrtException {
    return OnnxTensor.createTensor(environment, buffer, dims, javaType());
  }

  private OnnxJavaType javaType() {
    return switch (type) {
      case FLOAT32 -> OnnxJavaType.FLOAT;
      case FLOAT16 -> OnnxJavaType.FLOAT16;
      case BFLOAT16 -> OnnxJavaType.BFLOAT16;
      case INT8 -> OnnxJavaType.INT8;
      case STRING -> OnnxJavaType.STRING;
    };
  }

  /** Returns the elements of a tensor of this class as they are now. */
  ResultElements answer(OnnxTensor tensor) throws OrtException {
    return type == WorkType.STRING
        ? strings(tensor.getValue())
        : ResultElements.of(type.storage(), (ByteBuffer) tensor.getBufferRef().orElseThrow());
  }

  /** Returns the elements of a tensor that ONNX Runtime allocated, which has no Java buffer. */
  ResultElements newAnswer(OnnxTensor tensor) throws OrtException {
    return type == WorkType.STRING
        ? strings(tensor.getValue())
        : ResultElements.of(type.storage(), tensor.getByteBuffer());
  }

  private static ResultElements strings(Object values) {
    return ResultElements.of(flat(values).toArray(String[]::new));
  }

  private static Stream<String> flat(Object value) {
    return value instanceof Object[] values
        ? Arrays.stream(values).flatMap(OnnxTensors::flat)
        : Stream.of((String) value);
  }
}
