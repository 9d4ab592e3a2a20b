/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.kernel;

import ai.djl.ndarray.types.DataType;
import ai.djl.ndarray.types.Shape;
import ai.djl.pytorch.engine.PtNDArray;
import ai.djl.pytorch.engine.PtNDManager;
import ai.djl.pytorch.engine.PtSymbolBlock;
import ai.djl.pytorch.jni.IValue;
import ai.djl.pytorch.jni.IValueUtils;
import io.sparknd.tensor.HalfFloats;
import java.nio.ByteBuffer;

/**
 * Tensors of PyTorch with the elements of a benchmark. They share the memory of direct buffers, but
 * for bfloat16: a process that makes such a tensor by DJL 0.34.0 aborts, so float32 is converted.
 */
final class PyTorchTensors {
  private final WorkType type;
  private final PtNDManager manager;
  private final PtSymbolBlock module;

  /**
   * @param module a module of {@link TorchScript}
   */
  PyTorchTensors(WorkType type, PtNDManager manager, PtSymbolBlock module) {
    this.type = type;
    this.manager = manager;
    this.module = module;
  }

  /** Returns a tensor of the elements in {@code values}. */
  IValue of(ByteBuffer values, long... dims) {
    return switch (type) {
      case FLOAT32 -> of(values, DataType.FLOAT32, dims);
      case FLOAT16 -> of(values, DataType.FLOAT16, dims);
      case INT8 -> of(values, DataType.INT8, dims);
      case BFLOAT16 -> {
        try (IValue wide = of(wide(values), DataType.FLOAT32, dims)) {
          yield IValueUtils.runMethod(module, "bfloat16", wide);
        }
      }
      case STRING -> throw new IllegalArgumentException("PyTorch has no tensors of strings");
    };
  }

  /** Returns a tensor of a given type. */
  IValue of(ByteBuffer values, DataType dataType, long... dims) {
    return IValue.from(manager.create(values, new Shape(dims), dataType));
  }

  private static ByteBuffer wide(ByteBuffer halves) {
    int elements = halves.limit() / Short.BYTES;
    ByteBuffer wide = Direct.zeros(elements, Float.BYTES);
    for (int i = 0; i < elements; i++) {
      short half = halves.getShort(i * Short.BYTES);
      wide.putFloat(i * Float.BYTES, HalfFloats.fromBfloat16(half));
    }
    return wide;
  }

  /**
   * Returns the elements of a tensor as they are now.
   *
   * @param values the buffer that the tensor was made of
   */
  ResultElements answer(ByteBuffer values, IValue tensor) {
    if (type != WorkType.BFLOAT16) {
      return ResultElements.of(type.storage(), values);
    }
    try (IValue wide = IValueUtils.runMethod(module, "float32", tensor);
        PtNDArray array = (PtNDArray) wide.toNDList(manager).singletonOrThrow()) {
      float[] floats = array.toFloatArray();
      short[] halves = new short[floats.length];
      for (int i = 0; i < halves.length; i++) {
        halves[i] = HalfFloats.toBfloat16(floats[i]);
      }
      return ResultElements.of(halves);
    }
  }

  /** Returns the elements of a result that was made by a call. */
  ResultElements answer(IValue made) {
    try (PtNDArray array = (PtNDArray) made.toNDList(manager).singletonOrThrow()) {
      return ResultElements.of(type.storage(), array.toByteBuffer());
    }
  }
}
