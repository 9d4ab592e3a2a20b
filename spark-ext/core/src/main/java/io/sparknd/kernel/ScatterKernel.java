/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.kernel;

/** One reduction of one dtype: applies a chunk of updates to the blocks of a tensor. */
@FunctionalInterface
public interface ScatterKernel {
  /**
   * Applies the updates in the order of the chunk, or puts them off until {@link #finish}.
   *
   * @param blocks arrays of the dtype's storage, such as {@code float[][]}
   * @param at the slices of {@code blocks}, and the place of each one's update in {@code updates}
   * @param updates an array of the dtype's storage
   * @param units length of a slice in units of the storage, at least 1
   */
  void apply(Object[] blocks, SliceAddresses at, Object updates, int units);

  /** Applies what was put off, to the blocks of the last call. */
  default void finish() {}
}
