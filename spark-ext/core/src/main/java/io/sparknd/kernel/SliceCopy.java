/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.kernel;

import io.sparknd.tensor.Storage;

/**
 * Copies slices out of blocks, batch after batch; the other half of {@link SliceFold}. A result is
 * whole after {@link #finish}.
 */
public final class SliceCopy {
  private final SliceBlocks blocks;
  private final GatherKernel kernel;
  private final SliceAddresses chunk = new SliceAddresses();

  public SliceCopy(KernelProvider kernels, Storage storage, SliceBlocks blocks) {
    this(kernels.gather(storage), blocks);
  }

  private SliceCopy(GatherKernel kernel, SliceBlocks blocks) {
    this.kernel = kernel;
    this.blocks = blocks;
  }

  /** Copies out of blocks of a version that is published: nobody writes to them. */
  public static SliceCopy fromVersion(KernelProvider kernels, Storage storage, SliceBlocks blocks) {
    return new SliceCopy(kernels.gatherFromVersion(storage), blocks);
  }

  /**
   * Copies slices {@code offsets[from .. to)} to rows of {@code result}.
   *
   * @param offsets of slices in the blocks; a negative one leaves its row as it is
   * @param rows the row of {@code result} for each slice, or null for row {@code i + shift} at
   *     {@code i}
   * @param result rows of {@code blocks.units()} units
   */
  public void apply(long[] offsets, int[] rows, int shift, int from, int to, Object result) {
    if (blocks.units() == 0) {
      return;
    }
    int next = from;
    while (next < to) {
      chunk.count = 0;
      next = blocks.address(offsets, rows, shift, next, to, chunk);
      kernel.apply(blocks.arrays(), chunk, result, blocks.units());
    }
  }

  /** Ends the copies into one result. */
  public void finish() {
    kernel.finish();
  }
}
