/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.kernel;

/**
 * Decides when a scatter sorts its updates first, and in what sizes.
 *
 * @param tensorBytes the smallest tensor, in bytes, that is sorted for
 * @param slots the smallest number of slots that is sorted
 * @param sliceBytes the longest slice, in bytes, that is sorted for
 * @param batch slots that a thread sorts at a time
 * @param rangeBytes bytes of a tensor range per thread
 */
record UpdateSortPolicy(long tensorBytes, int slots, int sliceBytes, int batch, int rangeBytes) {
  /**
   * The default, from measurements. Below these sizes most of the tensor is in the caches, or its
   * pages are in the TLB, and sorting costs what it saves. A batch and its bins stay in a
   * second-level cache, and so does a range while it is in use.
   */
  static final UpdateSortPolicy USUAL =
      new UpdateSortPolicy(128 << 20, 1 << 16, 64, 1 << 17, 1 << 20);

  /**
   * Whether sorting pays.
   *
   * @param slices number of slices of the tensor
   * @param bytes bytes of a slice, more than 0
   */
  boolean pays(long slots, long slices, long bytes) {
    return slots >= this.slots && bytes <= sliceBytes && slices >= tensorBytes / bytes;
  }
}
