/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.kernel.cpu;

import io.sparknd.kernel.spi.GatherKernel;
import io.sparknd.kernel.spi.KernelProvider;
import io.sparknd.kernel.spi.ScatterKernel;
import io.sparknd.op.Reduction;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Storage;
import jdk.incubator.vector.VectorShape;

/**
 * Provides kernels with the Vector API, for a JVM that has the module {@code jdk.incubator.vector}.
 * The loops of {@link ScalarProvider} handle slices shorter than a vector, strings, some reductions
 * of float16 and bfloat16, and complex products and quotients.
 *
 * <p>Each element type uses one vector width in a JVM. The compiler profiles the Vector API's
 * methods for all callers together; with a second width in use it allocates vectors on the heap
 * (measured: 9 ns a row of 64 float32 became 60 to 90).
 */
public final class VectorProvider implements KernelProvider {
  private final ScalarProvider scalar = new ScalarProvider();
  private final int vectorBytes = VectorShape.preferredShape().vectorBitSize() / Byte.SIZE;

  @Override
  public String name() {
    return "vector";
  }

  @Override
  public ScatterKernel scatter(DType dtype, Reduction reduction) {
    Reduction step = reduction.step(dtype);
    ScatterKernel plain = scalar.scatter(dtype, reduction);
    if (!hasVectorLoop(dtype, step)) {
      return plain;
    }
    ScatterKernel wide = step == Reduction.NONE ? copy(dtype.storage()) : reduction(dtype, step);
    int least = least(dtype, step);
    return (blocks, at, updates, units) ->
        (units < least ? plain : wide).apply(blocks, at, updates, units);
  }

  /** The fewest units of a slice for the loops with vectors. */
  private int least(DType dtype, Reduction step) {
    boolean isPadded = dtype.kind() == DType.Kind.FLOAT && dtype.bytes() == Short.BYTES;
    return isPadded && step != Reduction.NONE
        ? Float16VectorReduceLoop.LEAST
        : vectorBytes / dtype.storage().bytes();
  }

  @Override
  public GatherKernel gather(Storage storage) {
    GatherKernel plain = scalar.gather(storage);
    if (storage == Storage.STRING) {
      return plain;
    }
    GatherKernel wide = FixedLengthLoops.gather(storage, wideGather(storage));
    int width = vectorBytes / storage.bytes();
    return (blocks, at, result, units) ->
        (units < width ? plain : wide).apply(blocks, at, result, units);
  }

  private static boolean hasVectorLoop(DType dtype, Reduction step) {
    return switch (dtype) {
      case STRING -> false;
      case FLOAT16, BFLOAT16 -> step == Reduction.NONE || Float16VectorReduceLoop.has(step);
      case COMPLEX64, COMPLEX128 -> step != Reduction.MUL && step != Reduction.DIV;
      default -> true;
    };
  }

  private static GatherKernel wideGather(Storage storage) {
    return switch (storage) {
      case BYTE -> ByteVectorCopyLoop.gather();
      case SHORT -> ShortVectorCopyLoop.gather();
      case INT -> IntVectorCopyLoop.gather();
      case LONG -> LongVectorCopyLoop.gather();
      case FLOAT -> FloatVectorCopyLoop.gather();
      case DOUBLE -> DoubleVectorCopyLoop.gather();
      case STRING -> throw new IllegalArgumentException(storage.toString());
    };
  }

  private static ScatterKernel copy(Storage storage) {
    return FixedLengthLoops.scatter(storage, anyLengthCopy(storage));
  }

  private static ScatterKernel reduction(DType dtype, Reduction step) {
    boolean unsignedExtreme =
        dtype.kind() == DType.Kind.UNSIGNED && (step == Reduction.MIN || step == Reduction.MAX);
    ScatterKernel any = reduce(dtype, step);
    return unsignedExtreme ? any : FixedLengthLoops.scatter(dtype.storage(), step, any);
  }

  private static ScatterKernel anyLengthCopy(Storage storage) {
    return switch (storage) {
      case BYTE -> ByteVectorCopyLoop.scatter();
      case SHORT -> ShortVectorCopyLoop.scatter();
      case INT -> IntVectorCopyLoop.scatter();
      case LONG -> LongVectorCopyLoop.scatter();
      case FLOAT -> FloatVectorCopyLoop.scatter();
      case DOUBLE -> DoubleVectorCopyLoop.scatter();
      case STRING -> throw new IllegalArgumentException(storage.toString());
    };
  }

  private static ScatterKernel reduce(DType dtype, Reduction step) {
    return switch (dtype) {
      case BOOL, INT8 -> ByteVectorReduceLoop.kernel(step);
      case INT16 -> ShortVectorReduceLoop.kernel(step);
      case INT32 -> IntVectorReduceLoop.kernel(step);
      case INT64 -> LongVectorReduceLoop.kernel(step);
      case UINT8 -> ByteVectorUnsignedReduceLoop.kernel(step);
      case UINT16 -> ShortVectorUnsignedReduceLoop.kernel(step);
      case UINT32 -> IntVectorUnsignedReduceLoop.kernel(step);
      case UINT64 -> LongVectorUnsignedReduceLoop.kernel(step);
      case FLOAT16 -> Float16VectorReduceLoop.kernel(step);
      case BFLOAT16 -> Bfloat16VectorReduceLoop.kernel(step);
      case FLOAT32, COMPLEX64 -> FloatVectorRealReduceLoop.kernel(step);
      case FLOAT64, COMPLEX128 -> DoubleVectorRealReduceLoop.kernel(step);
      case STRING -> throw new IllegalArgumentException(dtype.toString());
    };
  }
}
