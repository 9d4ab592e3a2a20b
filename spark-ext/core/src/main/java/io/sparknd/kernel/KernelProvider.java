/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.kernel;

import io.sparknd.op.Reduction;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Storage;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * A set of kernels: {@code vector}, {@code scalar}, and those that other jars bring as services of
 * this type, such as {@code cudf}. Every provider gives the same bits, except for the payload of a
 * NaN that a reduction makes. A kernel is looked up once a fold or a gather, never inside a loop.
 */
public interface KernelProvider {
  /** The name in {@code spark.sparknd.kernel}. */
  String name();

  /** Why this JVM cannot run these kernels; empty if it can. */
  default Optional<String> obstacle() {
    return Optional.empty();
  }

  /** The kernels for batches of some thousand updates: others, where a batch has a price. */
  default KernelProvider forSmallBatches() {
    return this;
  }

  /**
   * A kernel, for one fold, that applies {@code reduction} to {@code dtype}. {@link Reduction#MEAN}
   * is the sum; {@link SliceFold} divides at the end.
   *
   * @throws io.sparknd.tensor.SparkNdException if the reduction is not defined for the dtype
   */
  ScatterKernel scatter(DType dtype, Reduction reduction);

  /** A kernel, for one gather, that copies slices of {@code storage}. */
  GatherKernel gather(Storage storage);

  /**
   * As {@link #scatter(DType, Reduction)}, for the last fold of a version of a tensor: from {@link
   * ScatterKernel#finish} on, nobody writes to its arrays.
   *
   * @param before the arrays that those to be written are copies of, by number, of a version that
   *     is published and so never written; null for what is no copy
   */
  default ScatterKernel scatter(DType dtype, Reduction reduction, Supplier<Object[]> before) {
    return scatter(dtype, reduction);
  }

  /** As {@link #gather}, from a version that is published: nobody writes to its arrays. */
  default GatherKernel gatherFromVersion(Storage storage) {
    return gather(storage);
  }

  /**
   * Who wants to know what a fold wrote that needed other kernels, too.
   *
   * @param before as of {@link #scatter(DType, Reduction, Supplier)}
   */
  default BlockWriteListener renewal(Storage storage, Supplier<Object[]> before) {
    return BlockWriteListener.NONE;
  }
}
