/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.kernel.cpu;

import io.sparknd.kernel.spi.GatherKernel;
import io.sparknd.kernel.spi.ScatterKernel;
import io.sparknd.kernel.spi.SliceAddresses;
import io.sparknd.op.Reduction;

/**
 * The loops of {@link FloatReduceLoop} and {@link FloatCopyLoop} for slices of one unit. The inner
 * loop of those classes costs twice as much as the single element that it handles, and the CPU
 * overlaps fewer memory reads.
 */
final class FloatScalarLoop {
  private FloatScalarLoop() {}

  /** Returns the loop of {@code reduction} for slices of one unit. */
  static ScatterKernel kernel(Reduction reduction) {
    return switch (reduction) {
      case NONE -> (blocks, at, updates, units) -> set((float[][]) blocks, at, (float[]) updates);
      case ADD -> (blocks, at, updates, units) -> add((float[][]) blocks, at, (float[]) updates);
      case SUB -> (blocks, at, updates, units) -> sub((float[][]) blocks, at, (float[]) updates);
      case MUL -> (blocks, at, updates, units) -> mul((float[][]) blocks, at, (float[]) updates);
      case MIN -> (blocks, at, updates, units) -> min((float[][]) blocks, at, (float[]) updates);
      case MAX -> (blocks, at, updates, units) -> max((float[][]) blocks, at, (float[]) updates);
      default -> throw new IllegalArgumentException(reduction.toString());
    };
  }

  static GatherKernel gather() {
    return (blocks, at, result, units) -> gather((float[][]) blocks, at, (float[]) result);
  }

  private static void gather(float[][] blocks, SliceAddresses at, float[] result) {
    int count = at.count;
    int[] block = at.block;
    int[] position = at.position;
    int[] row = at.row;
    float[] only = blocks.length == 1 ? blocks[0] : null;
    for (int i = 0; i < count; i++) {
      float[] target = only != null ? only : blocks[block[i]];
      result[row[i]] = target[position[i]];
    }
  }

  private static void set(float[][] blocks, SliceAddresses at, float[] updates) {
    int count = at.count;
    int[] block = at.block;
    int[] position = at.position;
    int[] row = at.row;
    float[] only = blocks.length == 1 ? blocks[0] : null;
    for (int i = 0; i < count; i++) {
      float[] target = only != null ? only : blocks[block[i]];
      target[position[i]] = updates[row[i]];
    }
  }

  private static void add(float[][] blocks, SliceAddresses at, float[] updates) {
    int count = at.count;
    int[] block = at.block;
    int[] position = at.position;
    int[] row = at.row;
    float[] only = blocks.length == 1 ? blocks[0] : null;
    for (int i = 0; i < count; i++) {
      float[] target = only != null ? only : blocks[block[i]];
      target[position[i]] += updates[row[i]];
    }
  }

  private static void sub(float[][] blocks, SliceAddresses at, float[] updates) {
    int count = at.count;
    int[] block = at.block;
    int[] position = at.position;
    int[] row = at.row;
    float[] only = blocks.length == 1 ? blocks[0] : null;
    for (int i = 0; i < count; i++) {
      float[] target = only != null ? only : blocks[block[i]];
      target[position[i]] -= updates[row[i]];
    }
  }

  private static void mul(float[][] blocks, SliceAddresses at, float[] updates) {
    int count = at.count;
    int[] block = at.block;
    int[] position = at.position;
    int[] row = at.row;
    float[] only = blocks.length == 1 ? blocks[0] : null;
    for (int i = 0; i < count; i++) {
      float[] target = only != null ? only : blocks[block[i]];
      target[position[i]] *= updates[row[i]];
    }
  }

  private static void min(float[][] blocks, SliceAddresses at, float[] updates) {
    int count = at.count;
    int[] block = at.block;
    int[] position = at.position;
    int[] row = at.row;
    float[] only = blocks.length == 1 ? blocks[0] : null;
    for (int i = 0; i < count; i++) {
      float[] target = only != null ? only : blocks[block[i]];
      int p = position[i];
      target[p] = lesser(target[p], updates[row[i]]);
    }
  }

  private static void max(float[][] blocks, SliceAddresses at, float[] updates) {
    int count = at.count;
    int[] block = at.block;
    int[] position = at.position;
    int[] row = at.row;
    float[] only = blocks.length == 1 ? blocks[0] : null;
    for (int i = 0; i < count; i++) {
      float[] target = only != null ? only : blocks[block[i]];
      int p = position[i];
      target[p] = greater(target[p], updates[row[i]]);
    }
  }

  private static float lesser(float a, float b) {
    return Math.min(a, b);
  }

  private static float greater(float a, float b) {
    return Math.max(a, b);
  }
}
