/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.kernel.spi;

/** Applies chunks of updates to the blocks of a tensor, for one dtype and reduction. */
@FunctionalInterface
public interface ScatterKernel {
  /**
   * Applies the updates in chunk order, or defers them until {@link #finish}.
   *
   * @param blocks arrays of the dtype's storage, such as {@code float[][]}
   * @param at the position of each slice in {@code blocks} and of its update in {@code updates}
   * @param updates an array of the dtype's storage
   * @param units length of a slice in units of the storage, at least 1
   */
  void apply(Object[] blocks, SliceAddresses at, Object updates, int units);

  /** Applies deferred updates to the {@code blocks} of the last call. */
  default void finish() {}
}
