/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.kernel.cpu;

import io.sparknd.kernel.spi.GatherKernel;
import io.sparknd.kernel.spi.ScatterKernel;
import io.sparknd.kernel.spi.SliceAddresses;

/** Copies float slices, bit for bit. */
final class FloatCopyLoop {
  /** From this length on, {@link System#arraycopy} is faster than a loop. */
  private static final int LONG_SLICE = 8;

  private FloatCopyLoop() {}

  static ScatterKernel scatter() {
    return (blocks, at, updates, units) ->
        scatter((float[][]) blocks, at, (float[]) updates, units);
  }

  static GatherKernel gather() {
    return (blocks, at, result, units) -> gather((float[][]) blocks, at, (float[]) result, units);
  }

  private static void scatter(float[][] blocks, SliceAddresses at, float[] updates, int units) {
    for (int i = 0; i < at.count; i++) {
      copy(updates, at.row[i], blocks[at.block[i]], at.position[i], units);
    }
  }

  private static void gather(float[][] blocks, SliceAddresses at, float[] result, int units) {
    for (int i = 0; i < at.count; i++) {
      copy(blocks[at.block[i]], at.position[i], result, at.row[i], units);
    }
  }

  private static void copy(float[] from, int p, float[] to, int q, int units) {
    if (units >= LONG_SLICE) {
      System.arraycopy(from, p, to, q, units);
      return;
    }
    for (int j = 0; j < units; j++) {
      to[q + j] = from[p + j];
    }
  }
}
