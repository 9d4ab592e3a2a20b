/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.kernel;

import org.tensorflow.Tensor;
import org.tensorflow.ndarray.Shape;
import org.tensorflow.ndarray.buffer.ByteDataBuffer;
import org.tensorflow.ndarray.buffer.DataBuffers;
import org.tensorflow.types.TBfloat16;
import org.tensorflow.types.TFloat16;
import org.tensorflow.types.TFloat32;
import org.tensorflow.types.TString;
import org.tensorflow.types.family.TType;

/** Tensors of TensorFlow with the elements of a benchmark. */
final class TensorFlowTensors {
  private final WorkType type;

  TensorFlowTensors(WorkType type) {
    this.type = type;
  }

  Class<? extends TType> type() {
    return switch (type) {
      case FLOAT32 -> TFloat32.class;
      case FLOAT16 -> TFloat16.class;
      case BFLOAT16 -> TBfloat16.class;
      case STRING -> TString.class;
      case INT8 -> throw new IllegalArgumentException("TensorFlow for Java has no int8");
    };
  }

  /** Returns the initial tensor. */
  TType initial(Operands operands) {
    Shape shape = Shape.of(operands.work().dims());
    if (type == WorkType.STRING) {
      return strings(shape, operands.tensor());
    }
    TType tensor = Tensor.of(type(), shape);
    operands.fill((from, chunk, length) -> write(tensor, from, chunk, length));
    return tensor;
  }

  /** Returns the updates. */
  TType updates(Operands operands) {
    Work work = operands.work();
    Shape shape = Shape.of(work.rowDims());
    if (type == WorkType.STRING) {
      return strings(shape, operands.updates());
    }
    TType tensor = Tensor.of(type(), shape);
    write(tensor, 0, operands.updates(), work.rowElements());
    return tensor;
  }

  private static TString strings(Shape shape, Object array) {
    return TString.tensorOf(shape, DataBuffers.of((String[]) array, true, false));
  }

  private void write(TType tensor, int from, Object chunk, int length) {
    ByteDataBuffer bytes = tensor.asRawTensor().data();
    switch (type.storage()) {
      case FLOAT -> bytes.asFloats().offset(from).write((float[]) chunk, 0, length);
      case SHORT -> bytes.asShorts().offset(from).write((short[]) chunk, 0, length);
      default -> throw new IllegalStateException(type.toString());
    }
  }

  /** Returns the elements of a tensor that stays open while they are read. */
  ResultElements answer(TType tensor) {
    if (tensor instanceof TString strings) {
      String[] copy = new String[Math.toIntExact(strings.size())];
      strings.copyTo(DataBuffers.of(copy, false, false));
      return ResultElements.of(copy);
    }
    return new InTensor(type, tensor);
  }

  /** Elements of a tensor of numbers. */
  private record InTensor(WorkType type, TType tensor) implements ResultElements {
    @Override
    public int length() {
      return Math.toIntExact(tensor.size());
    }

    @Override
    public void read(int from, Object chunk, int length) {
      ByteDataBuffer bytes = tensor.asRawTensor().data();
      switch (type.storage()) {
        case FLOAT -> bytes.asFloats().offset(from).read((float[]) chunk, 0, length);
        case SHORT -> bytes.asShorts().offset(from).read((short[]) chunk, 0, length);
        default -> throw new IllegalStateException(type.toString());
      }
    }
  }
}
