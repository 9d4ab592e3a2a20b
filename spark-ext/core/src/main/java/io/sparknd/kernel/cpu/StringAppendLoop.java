/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.kernel.cpu;

import io.sparknd.kernel.spi.ScatterKernel;
import io.sparknd.kernel.spi.SliceAddresses;
import io.sparknd.op.Reduction;

/** The only reduction of string slices: appends each update to its element. */
final class StringAppendLoop {
  private StringAppendLoop() {}

  /** Returns the loop of {@code reduction}. */
  static ScatterKernel kernel(Reduction reduction) {
    return switch (reduction) {
      case ADD ->
          (blocks, at, updates, units) -> add((String[][]) blocks, at, (String[]) updates, units);
      default -> throw new IllegalArgumentException(reduction.toString());
    };
  }

  private static void add(String[][] blocks, SliceAddresses at, String[] updates, int units) {
    for (int i = 0; i < at.count; i++) {
      String[] target = blocks[at.block[i]];
      int p = at.position[i];
      int q = at.row[i];
      for (int j = 0; j < units; j++) {
        target[p + j] = target[p + j].concat(updates[q + j]);
      }
    }
  }
}
