/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.kernel.cpu;

import io.sparknd.kernel.spi.ScatterKernel;
import io.sparknd.kernel.spi.SliceAddresses;
import io.sparknd.op.Reduction;

/** Reductions of float slices, including those that only floating-point types have. */
final class FloatRealReduceLoop {
  private FloatRealReduceLoop() {}

  /** Returns the loop of {@code reduction}: one of {@link FloatReduceLoop} or three more. */
  static ScatterKernel kernel(Reduction reduction) {
    return switch (reduction) {
      case DIV ->
          (blocks, at, updates, units) -> div((float[][]) blocks, at, (float[]) updates, units);
      case FMIN ->
          (blocks, at, updates, units) -> fmin((float[][]) blocks, at, (float[]) updates, units);
      case FMAX ->
          (blocks, at, updates, units) -> fmax((float[][]) blocks, at, (float[]) updates, units);
      default -> FloatReduceLoop.kernel(reduction);
    };
  }

  private static void div(float[][] blocks, SliceAddresses at, float[] updates, int units) {
    for (int i = 0; i < at.count; i++) {
      float[] target = blocks[at.block[i]];
      int p = at.position[i];
      int q = at.row[i];
      for (int j = 0; j < units; j++) {
        target[p + j] /= updates[q + j];
      }
    }
  }

  private static void fmin(float[][] blocks, SliceAddresses at, float[] updates, int units) {
    for (int i = 0; i < at.count; i++) {
      float[] target = blocks[at.block[i]];
      int p = at.position[i];
      int q = at.row[i];
      for (int j = 0; j < units; j++) {
        target[p + j] = lesser(target[p + j], updates[q + j]);
      }
    }
  }

  private static void fmax(float[][] blocks, SliceAddresses at, float[] updates, int units) {
    for (int i = 0; i < at.count; i++) {
      float[] target = blocks[at.block[i]];
      int p = at.position[i];
      int q = at.row[i];
      for (int j = 0; j < units; j++) {
        target[p + j] = greater(target[p + j], updates[q + j]);
      }
    }
  }

  private static float lesser(float a, float b) {
    return Float.isNaN(a) ? b : Float.isNaN(b) ? a : Math.min(a, b);
  }

  private static float greater(float a, float b) {
    return Float.isNaN(a) ? b : Float.isNaN(b) ? a : Math.max(a, b);
  }
}
