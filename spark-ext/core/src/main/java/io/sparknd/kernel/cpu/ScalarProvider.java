/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.kernel.cpu;

import io.sparknd.kernel.GatherKernel;
import io.sparknd.kernel.KernelProvider;
import io.sparknd.kernel.ScatterKernel;
import io.sparknd.op.Reduction;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Storage;

/** Kernels in plain loops, for any JVM. */
public final class ScalarProvider implements KernelProvider {
  @Override
  public String name() {
    return "scalar";
  }

  @Override
  public ScatterKernel scatter(DType dtype, Reduction reduction) {
    Reduction step = reduction.step(dtype);
    ScatterKernel slices = step == Reduction.NONE ? move(dtype.storage()) : reduce(dtype, step);
    if (!hasCells(dtype, step)) {
      return slices;
    }
    ScatterKernel cells = cells(dtype.storage(), step);
    return (blocks, at, updates, units) ->
        (units == 1 ? cells : slices).apply(blocks, at, updates, units);
  }

  private static boolean hasCells(DType dtype, Reduction step) {
    boolean extreme = step == Reduction.MIN || step == Reduction.MAX;
    boolean arithmetic = step == Reduction.ADD || step == Reduction.SUB || step == Reduction.MUL;
    return switch (dtype) {
      case STRING, COMPLEX64, COMPLEX128 -> false;
      case FLOAT16, BFLOAT16 -> step == Reduction.NONE;
      case UINT8, UINT16, UINT32, UINT64 -> step == Reduction.NONE || arithmetic;
      default -> step == Reduction.NONE || arithmetic || extreme;
    };
  }

  private static ScatterKernel cells(Storage storage, Reduction step) {
    return switch (storage) {
      case BYTE -> ByteCells.kernel(step);
      case SHORT -> ShortCells.kernel(step);
      case INT -> IntCells.kernel(step);
      case LONG -> LongCells.kernel(step);
      case FLOAT -> FloatCells.kernel(step);
      case DOUBLE -> DoubleCells.kernel(step);
      case STRING -> throw new IllegalArgumentException(storage.toString());
    };
  }

  @Override
  public GatherKernel gather(Storage storage) {
    return switch (storage) {
      case BYTE -> either(ByteCells.gather(), ByteMoves.gather());
      case SHORT -> either(ShortCells.gather(), ShortMoves.gather());
      case INT -> either(IntCells.gather(), IntMoves.gather());
      case LONG -> either(LongCells.gather(), LongMoves.gather());
      case FLOAT -> either(FloatCells.gather(), FloatMoves.gather());
      case DOUBLE -> either(DoubleCells.gather(), DoubleMoves.gather());
      case STRING -> StringMoves.gather();
    };
  }

  private static GatherKernel either(GatherKernel cells, GatherKernel slices) {
    return (blocks, at, result, units) ->
        (units == 1 ? cells : slices).apply(blocks, at, result, units);
  }

  private static ScatterKernel move(Storage storage) {
    return switch (storage) {
      case BYTE -> ByteMoves.scatter();
      case SHORT -> ShortMoves.scatter();
      case INT -> IntMoves.scatter();
      case LONG -> LongMoves.scatter();
      case FLOAT -> FloatMoves.scatter();
      case DOUBLE -> DoubleMoves.scatter();
      case STRING -> StringMoves.scatter();
    };
  }

  private static ScatterKernel reduce(DType dtype, Reduction step) {
    return switch (dtype) {
      case BOOL, INT8 -> ByteLane.kernel(step);
      case INT16 -> ShortLane.kernel(step);
      case INT32 -> IntLane.kernel(step);
      case INT64 -> LongLane.kernel(step);
      case UINT8 -> ByteUnsignedLane.kernel(step);
      case UINT16 -> ShortUnsignedLane.kernel(step);
      case UINT32 -> IntUnsignedLane.kernel(step);
      case UINT64 -> LongUnsignedLane.kernel(step);
      case FLOAT16 -> Float16Lane.kernel(step);
      case BFLOAT16 -> Bfloat16Lane.kernel(step);
      case FLOAT32 -> FloatRealLane.kernel(step);
      case FLOAT64 -> DoubleRealLane.kernel(step);
      case COMPLEX64 -> ComplexFloatLane.kernel(step);
      case COMPLEX128 -> ComplexDoubleLane.kernel(step);
      case STRING -> StringLane.kernel(step);
    };
  }
}
