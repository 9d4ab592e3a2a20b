/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.kernel.spi;

/** Copies slices out of the blocks of a tensor, bit for bit. */
@FunctionalInterface
public interface GatherKernel {
  /**
   * Copies every slice of the chunk to its row of {@code result}, or defers the copy until {@link
   * #finish}.
   *
   * @param blocks arrays of one storage, such as {@code float[][]}
   * @param at the position of each slice in {@code blocks} and in {@code result}
   * @param result an array of the same storage
   * @param units length of a slice in units of the storage, at least 1
   */
  void apply(Object[] blocks, SliceAddresses at, Object result, int units);

  /** Completes deferred copies to the {@code result} of the last call. */
  default void finish() {}
}
