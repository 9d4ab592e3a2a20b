/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.kernel.cpu;

import io.sparknd.kernel.spi.ScatterKernel;
import io.sparknd.kernel.spi.SliceAddresses;
import io.sparknd.op.Reduction;

/** Reductions of unsigned long slices; only MIN and MAX differ from signed ones. */
final class LongUnsignedReduceLoop {
  private LongUnsignedReduceLoop() {}

  /** Returns the loop of {@code reduction}. */
  static ScatterKernel kernel(Reduction reduction) {
    return switch (reduction) {
      case MIN, FMIN ->
          (blocks, at, updates, units) -> min((long[][]) blocks, at, (long[]) updates, units);
      case MAX, FMAX ->
          (blocks, at, updates, units) -> max((long[][]) blocks, at, (long[]) updates, units);
      default -> LongReduceLoop.kernel(reduction);
    };
  }

  private static void min(long[][] blocks, SliceAddresses at, long[] updates, int units) {
    for (int i = 0; i < at.count; i++) {
      long[] target = blocks[at.block[i]];
      int p = at.position[i];
      int q = at.row[i];
      for (int j = 0; j < units; j++) {
        target[p + j] = lesser(target[p + j], updates[q + j]);
      }
    }
  }

  private static void max(long[][] blocks, SliceAddresses at, long[] updates, int units) {
    for (int i = 0; i < at.count; i++) {
      long[] target = blocks[at.block[i]];
      int p = at.position[i];
      int q = at.row[i];
      for (int j = 0; j < units; j++) {
        target[p + j] = greater(target[p + j], updates[q + j]);
      }
    }
  }

  private static long lesser(long a, long b) {
    return Long.compareUnsigned(a, b) <= 0 ? a : b;
  }

  private static long greater(long a, long b) {
    return Long.compareUnsigned(a, b) >= 0 ? a : b;
  }
}
