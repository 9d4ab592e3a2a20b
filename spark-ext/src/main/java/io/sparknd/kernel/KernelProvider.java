/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.kernel;

import io.sparknd.op.Reduction;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Storage;

/**
 * A set of kernels: {@code vector}, {@code scalar}. Every provider gives the same bits, except for
 * the payload of a NaN that a reduction makes. A kernel is looked up once a batch, never inside a
 * loop.
 */
public interface KernelProvider {
  /** The name in {@code spark.sparknd.kernel}. */
  String name();

  /**
   * The kernel that applies {@code reduction} to {@code dtype}. {@link Reduction#MEAN} is the sum;
   * {@link SliceFold} divides at the end.
   *
   * @throws io.sparknd.tensor.SparkNdException if the reduction is not defined for the dtype
   */
  ScatterKernel scatter(DType dtype, Reduction reduction);

  /** The kernel that copies slices of {@code storage}. */
  GatherKernel gather(Storage storage);
}
