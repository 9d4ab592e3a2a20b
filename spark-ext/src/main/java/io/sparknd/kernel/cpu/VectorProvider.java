/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.kernel.cpu;

import io.sparknd.kernel.GatherKernel;
import io.sparknd.kernel.KernelProvider;
import io.sparknd.kernel.ScatterKernel;
import io.sparknd.op.Reduction;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Storage;
import jdk.incubator.vector.VectorShape;

/**
 * Kernels with the Vector API, for a JVM that has the module {@code jdk.incubator.vector}. A slice
 * shorter than the machine's vectors takes 128-bit ones, and one shorter than that the plain loop;
 * so do all slices of float16, bfloat16 and strings, and complex products and quotients.
 */
public final class VectorProvider implements KernelProvider {
  private static final int NARROW_BYTES = 16;

  private final ScalarProvider scalar = new ScalarProvider();
  private final int wideBytes = VectorShape.preferredShape().vectorBitSize() / Byte.SIZE;

  @Override
  public String name() {
    return "vector";
  }

  @Override
  public ScatterKernel scatter(DType dtype, Reduction reduction) {
    Reduction step = ScalarProvider.step(dtype, reduction);
    Storage storage = dtype.storage();
    ScatterKernel plain = scalar.scatter(dtype, reduction);
    if (step == Reduction.NONE) {
      return storage == Storage.STRING ? plain : move(storage, plain);
    }
    return switch (dtype) {
      case FLOAT16, BFLOAT16, STRING -> plain;
      case COMPLEX64, COMPLEX128 ->
          step == Reduction.MUL || step == Reduction.DIV ? plain : reduce(dtype, step, plain);
      default -> reduce(dtype, step, plain);
    };
  }

  @Override
  public GatherKernel gather(Storage storage) {
    GatherKernel plain = scalar.gather(storage);
    return switch (storage) {
      case BYTE -> bySize(storage, ByteVectorMoves.gather(), ByteVector128Moves.gather(), plain);
      case SHORT -> bySize(storage, ShortVectorMoves.gather(), ShortVector128Moves.gather(), plain);
      case INT -> bySize(storage, IntVectorMoves.gather(), IntVector128Moves.gather(), plain);
      case LONG -> bySize(storage, LongVectorMoves.gather(), LongVector128Moves.gather(), plain);
      case FLOAT -> bySize(storage, FloatVectorMoves.gather(), FloatVector128Moves.gather(), plain);
      case DOUBLE ->
          bySize(storage, DoubleVectorMoves.gather(), DoubleVector128Moves.gather(), plain);
      case STRING -> plain;
    };
  }

  private ScatterKernel move(Storage storage, ScatterKernel plain) {
    return switch (storage) {
      case BYTE -> bySize(storage, ByteVectorMoves.scatter(), ByteVector128Moves.scatter(), plain);
      case SHORT ->
          bySize(storage, ShortVectorMoves.scatter(), ShortVector128Moves.scatter(), plain);
      case INT -> bySize(storage, IntVectorMoves.scatter(), IntVector128Moves.scatter(), plain);
      case LONG -> bySize(storage, LongVectorMoves.scatter(), LongVector128Moves.scatter(), plain);
      case FLOAT ->
          bySize(storage, FloatVectorMoves.scatter(), FloatVector128Moves.scatter(), plain);
      case DOUBLE ->
          bySize(storage, DoubleVectorMoves.scatter(), DoubleVector128Moves.scatter(), plain);
      case STRING -> plain;
    };
  }

  private ScatterKernel reduce(DType dtype, Reduction step, ScatterKernel plain) {
    return bySize(dtype.storage(), wide(dtype, step), narrow(dtype, step), plain);
  }

  private static ScatterKernel wide(DType dtype, Reduction step) {
    return switch (dtype) {
      case BOOL, INT8 -> ByteVectorLane.kernel(step);
      case INT16 -> ShortVectorLane.kernel(step);
      case INT32 -> IntVectorLane.kernel(step);
      case INT64 -> LongVectorLane.kernel(step);
      case UINT8 -> ByteVectorUnsignedLane.kernel(step);
      case UINT16 -> ShortVectorUnsignedLane.kernel(step);
      case UINT32 -> IntVectorUnsignedLane.kernel(step);
      case UINT64 -> LongVectorUnsignedLane.kernel(step);
      case FLOAT32, COMPLEX64 -> FloatVectorRealLane.kernel(step);
      case FLOAT64, COMPLEX128 -> DoubleVectorRealLane.kernel(step);
      case FLOAT16, BFLOAT16, STRING -> throw new IllegalArgumentException(dtype.toString());
    };
  }

  private static ScatterKernel narrow(DType dtype, Reduction step) {
    return switch (dtype) {
      case BOOL, INT8 -> ByteVector128Lane.kernel(step);
      case INT16 -> ShortVector128Lane.kernel(step);
      case INT32 -> IntVector128Lane.kernel(step);
      case INT64 -> LongVector128Lane.kernel(step);
      case UINT8 -> ByteVector128UnsignedLane.kernel(step);
      case UINT16 -> ShortVector128UnsignedLane.kernel(step);
      case UINT32 -> IntVector128UnsignedLane.kernel(step);
      case UINT64 -> LongVector128UnsignedLane.kernel(step);
      case FLOAT32, COMPLEX64 -> FloatVector128RealLane.kernel(step);
      case FLOAT64, COMPLEX128 -> DoubleVector128RealLane.kernel(step);
      case FLOAT16, BFLOAT16, STRING -> throw new IllegalArgumentException(dtype.toString());
    };
  }

  private ScatterKernel bySize(
      Storage storage, ScatterKernel wide, ScatterKernel narrow, ScatterKernel plain) {
    int wideUnits = wideBytes / storage.bytes();
    int narrowUnits = NARROW_BYTES / storage.bytes();
    return (blocks, at, updates, units) -> {
      ScatterKernel fitting = units >= wideUnits ? wide : units >= narrowUnits ? narrow : plain;
      fitting.apply(blocks, at, updates, units);
    };
  }

  private GatherKernel bySize(
      Storage storage, GatherKernel wide, GatherKernel narrow, GatherKernel plain) {
    int wideUnits = wideBytes / storage.bytes();
    int narrowUnits = NARROW_BYTES / storage.bytes();
    return (blocks, at, result, units) -> {
      GatherKernel fitting = units >= wideUnits ? wide : units >= narrowUnits ? narrow : plain;
      fitting.apply(blocks, at, result, units);
    };
  }
}
