/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.kernel;

/**
 * Decides whether a scatter sorts its updates, and the batch sizes of the sort.
 *
 * @param tensorBytes minimum tensor size in bytes for sorting
 * @param slots minimum number of slots for sorting
 * @param sliceBytes maximum slice size in bytes for sorting
 * @param batch slots that a thread sorts at a time
 * @param rangeBytes bytes of a tensor range per thread
 */
record UpdateSortPolicy(long tensorBytes, int slots, int sliceBytes, int batch, int rangeBytes) {
  /**
   * The default, from measurements. Below these sizes most of the tensor is in the caches, or its
   * pages are in the TLB, and sorting costs what it saves. A batch and its bins stay in a
   * second-level cache, and so does a range while it is in use.
   */
  static final UpdateSortPolicy DEFAULT =
      new UpdateSortPolicy(128 << 20, 1 << 16, 64, 1 << 17, 1 << 20);

  /**
   * Whether sorting saves time.
   *
   * @param slices number of slices of the tensor
   * @param bytes bytes of a slice, more than 0
   */
  boolean shouldSort(long slots, long slices, long bytes) {
    return slots >= this.slots && bytes <= sliceBytes && slices >= tensorBytes / bytes;
  }
}
