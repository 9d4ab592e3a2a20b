/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.kernel;

import io.sparknd.kernel.spi.GatherKernel;
import io.sparknd.kernel.spi.KernelProvider;
import io.sparknd.kernel.spi.SliceAddresses;
import io.sparknd.tensor.Storage;
import org.jspecify.annotations.Nullable;

/**
 * Copies slices out of blocks, batch by batch, for a gather. The result is complete after {@link
 * #finish}.
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

  /** Creates an instance for a published version, whose blocks are never written. */
  public static SliceCopy fromVersion(KernelProvider kernels, Storage storage, SliceBlocks blocks) {
    return new SliceCopy(kernels.gatherFromVersion(storage), blocks);
  }

  /**
   * Copies the slices {@code offsets[from .. to)} to rows of {@code result}.
   *
   * @param offsets slice offsets in the blocks; a negative one leaves its row unchanged
   * @param rows the row of {@code result} for each slice, or null if slice {@code i} has row {@code
   *     i + shift}
   * @param result rows of {@code blocks.units()} units
   */
  public void apply(
      long[] offsets, int @Nullable [] rows, int shift, int from, int to, Object result) {
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

  /** Completes the result. */
  public void finish() {
    kernel.finish();
  }
}
