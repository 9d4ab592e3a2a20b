/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.kernel.spi;

/**
 * Receives the slices written by a fold that uses more than one kernel, after the last write.
 * Kernels that cache copies of blocks use it to update the copies.
 */
@FunctionalInterface
public interface BlockWriteListener {
  /** The listener of kernels that cache no blocks. */
  BlockWriteListener NONE = (blocks, written, units) -> {};

  /**
   * Receives a chunk of written slices. Each slice is passed once.
   *
   * @param blocks arrays that are not written any more
   * @param written slices of {@code blocks}
   * @param units length of a slice in units of the storage, at least 1
   */
  void apply(Object[] blocks, SliceAddresses written, int units);

  /** Called after the last chunk. */
  default void finish() {}
}
