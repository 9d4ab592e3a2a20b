/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.kernel.spi;

import io.sparknd.op.Reduction;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Storage;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * A set of kernels: {@code vector}, {@code scalar}, or one that another jar registers as a service
 * of this type, such as {@code cudf}. All providers give bit-identical results, except for the
 * payload of a NaN that a reduction produces. A kernel is looked up once per fold or gather, never
 * inside a loop.
 */
public interface KernelProvider {
  /** The value of {@code spark.sparknd.kernel} that selects this provider. */
  String name();

  /** The reason why this JVM cannot run these kernels; empty if it can. */
  default Optional<String> obstacle() {
    return Optional.empty();
  }

  /** The provider for batches of a few thousand updates: another one if batches are costly. */
  default KernelProvider forSmallBatches() {
    return this;
  }

  /**
   * Returns a kernel for one fold, which applies {@code reduction} to {@code dtype}. For {@link
   * Reduction#MEAN} it computes the sum; {@link io.sparknd.kernel.SliceFold} divides at the end. A
   * mean of float16 or bfloat16 asks for a sum of float32.
   *
   * @throws io.sparknd.tensor.SparkNdException if the reduction is not defined for the dtype
   */
  ScatterKernel scatter(DType dtype, Reduction reduction);

  /** Returns a kernel for one gather, which copies slices of {@code storage}. */
  GatherKernel gather(Storage storage);

  /**
   * Returns a kernel for the last fold of a new tensor version. After {@link ScatterKernel#finish}
   * the arrays of the new version are never written again.
   *
   * @param before for each block number, the array of the published, immutable version that the
   *     written array is a copy of, or null if it is not a copy
   */
  default ScatterKernel scatter(DType dtype, Reduction reduction, Supplier<Object[]> before) {
    return scatter(dtype, reduction);
  }

  /** Returns a kernel for one gather from a published version, whose arrays are immutable. */
  default GatherKernel gatherFromVersion(Storage storage) {
    return gather(storage);
  }

  /**
   * Returns the listener for the slices written by a fold that also uses kernels of other
   * providers.
   *
   * @param before as in {@link #scatter(DType, Reduction, Supplier)}
   */
  default BlockWriteListener blockWriteListener(Storage storage, Supplier<Object[]> before) {
    return BlockWriteListener.NONE;
  }
}
