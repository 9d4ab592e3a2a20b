/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.kernel;

/**
 * When a scatter sorts its updates first, and how.
 *
 * @param tensorBytes the tensor has at least
 * @param slots the call has at least
 * @param sliceBytes a slice has at most
 * @param batch slots that a thread sorts at a time
 * @param rangeBytes of a range of the tensor, for each thread
 */
record UpdateSortPolicy(long tensorBytes, int slots, int sliceBytes, int batch, int rangeBytes) {
  /**
   * Measured: below these sizes a processor finds most of the tensor in its caches, or the pages of
   * it in its table, and sorting costs what it saves. A batch and its bins stay in a second-level
   * cache, and so does a range while it is worked on.
   */
  static final UpdateSortPolicy USUAL =
      new UpdateSortPolicy(128 << 20, 1 << 16, 64, 1 << 17, 1 << 20);

  /**
   * @param slices of the tensor
   * @param bytes of a slice, more than 0
   */
  boolean pays(long slots, long slices, long bytes) {
    return slots >= this.slots && bytes <= sliceBytes && slices >= tensorBytes / bytes;
  }
}
