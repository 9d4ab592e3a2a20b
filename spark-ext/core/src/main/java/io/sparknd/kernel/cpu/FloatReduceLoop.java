/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.kernel.cpu;

import io.sparknd.kernel.spi.ScatterKernel;
import io.sparknd.kernel.spi.SliceAddresses;
import io.sparknd.op.Reduction;

/** Reductions of float slices that all numeric types have. */
final class FloatReduceLoop {
  private FloatReduceLoop() {}

  /** Returns the loop of {@code reduction}. */
  static ScatterKernel kernel(Reduction reduction) {
    return switch (reduction) {
      case ADD ->
          (blocks, at, updates, units) -> add((float[][]) blocks, at, (float[]) updates, units);
      case SUB ->
          (blocks, at, updates, units) -> sub((float[][]) blocks, at, (float[]) updates, units);
      case MUL ->
          (blocks, at, updates, units) -> mul((float[][]) blocks, at, (float[]) updates, units);
      case MIN, FMIN ->
          (blocks, at, updates, units) -> min((float[][]) blocks, at, (float[]) updates, units);
      case MAX, FMAX ->
          (blocks, at, updates, units) -> max((float[][]) blocks, at, (float[]) updates, units);
      default -> throw new IllegalArgumentException(reduction.toString());
    };
  }

  private static void add(float[][] blocks, SliceAddresses at, float[] updates, int units) {
    for (int i = 0; i < at.count; i++) {
      float[] target = blocks[at.block[i]];
      int p = at.position[i];
      int q = at.row[i];
      for (int j = 0; j < units; j++) {
        target[p + j] += updates[q + j];
      }
    }
  }

  private static void sub(float[][] blocks, SliceAddresses at, float[] updates, int units) {
    for (int i = 0; i < at.count; i++) {
      float[] target = blocks[at.block[i]];
      int p = at.position[i];
      int q = at.row[i];
      for (int j = 0; j < units; j++) {
        target[p + j] -= updates[q + j];
      }
    }
  }

  private static void mul(float[][] blocks, SliceAddresses at, float[] updates, int units) {
    for (int i = 0; i < at.count; i++) {
      float[] target = blocks[at.block[i]];
      int p = at.position[i];
      int q = at.row[i];
      for (int j = 0; j < units; j++) {
        target[p + j] *= updates[q + j];
      }
    }
  }

  private static void min(float[][] blocks, SliceAddresses at, float[] updates, int units) {
    for (int i = 0; i < at.count; i++) {
      float[] target = blocks[at.block[i]];
      int p = at.position[i];
      int q = at.row[i];
      for (int j = 0; j < units; j++) {
        target[p + j] = lesser(target[p + j], updates[q + j]);
      }
    }
  }

  private static void max(float[][] blocks, SliceAddresses at, float[] updates, int units) {
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
    return Math.min(a, b);
  }

  private static float greater(float a, float b) {
    return Math.max(a, b);
  }
}
