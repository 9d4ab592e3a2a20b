/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.kernel;

/**
 * Told which slices a fold wrote that more than one kernel wrote to, after the last of them did:
 * for kernels that keep copies of blocks.
 */
@FunctionalInterface
public interface BlockWriteListener {
  /** For kernels that keep none. */
  BlockWriteListener NONE = (blocks, written, units) -> {};

  /**
   * Takes note of slices, each told once.
   *
   * @param blocks arrays that nobody writes any more
   * @param written slices of {@code blocks}
   * @param units length of a slice in units of the storage, at least 1
   */
  void apply(Object[] blocks, SliceAddresses written, int units);

  /** There are no more. */
  default void finish() {}
}
