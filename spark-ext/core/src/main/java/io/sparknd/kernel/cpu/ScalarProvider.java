/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.kernel.cpu;

import io.sparknd.kernel.spi.GatherKernel;
import io.sparknd.kernel.spi.KernelProvider;
import io.sparknd.kernel.spi.ScatterKernel;
import io.sparknd.op.Reduction;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Storage;

/** Provides kernels in plain loops, for any JVM. */
public final class ScalarProvider implements KernelProvider {
  @Override
  public String name() {
    return "scalar";
  }

  @Override
  public ScatterKernel scatter(DType dtype, Reduction reduction) {
    Reduction step = reduction.step(dtype);
    ScatterKernel slices = step == Reduction.NONE ? copy(dtype.storage()) : reduce(dtype, step);
    if (!hasScalarLoop(dtype, step)) {
      return slices;
    }
    ScatterKernel scalars = scalarLoop(dtype.storage(), step);
    return (blocks, at, updates, units) ->
        (units == 1 ? scalars : slices).apply(blocks, at, updates, units);
  }

  private static boolean hasScalarLoop(DType dtype, Reduction step) {
    boolean extreme = step == Reduction.MIN || step == Reduction.MAX;
    boolean arithmetic = step == Reduction.ADD || step == Reduction.SUB || step == Reduction.MUL;
    return switch (dtype) {
      case STRING, COMPLEX64, COMPLEX128 -> false;
      case FLOAT16, BFLOAT16 -> step == Reduction.NONE;
      case UINT8, UINT16, UINT32, UINT64 -> step == Reduction.NONE || arithmetic;
      default -> step == Reduction.NONE || arithmetic || extreme;
    };
  }

  private static ScatterKernel scalarLoop(Storage storage, Reduction step) {
    return switch (storage) {
      case BYTE -> ByteScalarLoop.kernel(step);
      case SHORT -> ShortScalarLoop.kernel(step);
      case INT -> IntScalarLoop.kernel(step);
      case LONG -> LongScalarLoop.kernel(step);
      case FLOAT -> FloatScalarLoop.kernel(step);
      case DOUBLE -> DoubleScalarLoop.kernel(step);
      case STRING -> throw new IllegalArgumentException(storage.toString());
    };
  }

  @Override
  public GatherKernel gather(Storage storage) {
    return switch (storage) {
      case BYTE -> either(ByteScalarLoop.gather(), ByteCopyLoop.gather());
      case SHORT -> either(ShortScalarLoop.gather(), ShortCopyLoop.gather());
      case INT -> either(IntScalarLoop.gather(), IntCopyLoop.gather());
      case LONG -> either(LongScalarLoop.gather(), LongCopyLoop.gather());
      case FLOAT -> either(FloatScalarLoop.gather(), FloatCopyLoop.gather());
      case DOUBLE -> either(DoubleScalarLoop.gather(), DoubleCopyLoop.gather());
      case STRING -> StringCopyLoop.gather();
    };
  }

  private static GatherKernel either(GatherKernel scalars, GatherKernel slices) {
    return (blocks, at, result, units) ->
        (units == 1 ? scalars : slices).apply(blocks, at, result, units);
  }

  private static ScatterKernel copy(Storage storage) {
    return switch (storage) {
      case BYTE -> ByteCopyLoop.scatter();
      case SHORT -> ShortCopyLoop.scatter();
      case INT -> IntCopyLoop.scatter();
      case LONG -> LongCopyLoop.scatter();
      case FLOAT -> FloatCopyLoop.scatter();
      case DOUBLE -> DoubleCopyLoop.scatter();
      case STRING -> StringCopyLoop.scatter();
    };
  }

  private static ScatterKernel reduce(DType dtype, Reduction step) {
    return switch (dtype) {
      case BOOL, INT8 -> ByteReduceLoop.kernel(step);
      case INT16 -> ShortReduceLoop.kernel(step);
      case INT32 -> IntReduceLoop.kernel(step);
      case INT64 -> LongReduceLoop.kernel(step);
      case UINT8 -> ByteUnsignedReduceLoop.kernel(step);
      case UINT16 -> ShortUnsignedReduceLoop.kernel(step);
      case UINT32 -> IntUnsignedReduceLoop.kernel(step);
      case UINT64 -> LongUnsignedReduceLoop.kernel(step);
      case FLOAT16 -> Float16ReduceLoop.kernel(step);
      case BFLOAT16 -> Bfloat16ReduceLoop.kernel(step);
      case FLOAT32 -> FloatRealReduceLoop.kernel(step);
      case FLOAT64 -> DoubleRealReduceLoop.kernel(step);
      case COMPLEX64 -> ComplexFloatReduceLoop.kernel(step);
      case COMPLEX128 -> ComplexDoubleReduceLoop.kernel(step);
      case STRING -> StringReduceLoop.kernel(step);
    };
  }
}
