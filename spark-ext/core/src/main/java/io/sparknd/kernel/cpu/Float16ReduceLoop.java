/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.kernel.cpu;

import io.sparknd.kernel.spi.ScatterKernel;
import io.sparknd.kernel.spi.SliceAddresses;
import io.sparknd.op.Reduction;
import io.sparknd.tensor.HalfFloats;

/** Reductions of float16 slices; each step is computed in float32, then rounded. */
final class Float16ReduceLoop {
  private Float16ReduceLoop() {}

  /** Returns the loop of {@code reduction}. */
  static ScatterKernel kernel(Reduction reduction) {
    return switch (reduction) {
      case ADD ->
          (blocks, at, updates, units) -> add((short[][]) blocks, at, (short[]) updates, units);
      case SUB ->
          (blocks, at, updates, units) -> sub((short[][]) blocks, at, (short[]) updates, units);
      case MUL ->
          (blocks, at, updates, units) -> mul((short[][]) blocks, at, (short[]) updates, units);
      case DIV ->
          (blocks, at, updates, units) -> div((short[][]) blocks, at, (short[]) updates, units);
      case MIN ->
          (blocks, at, updates, units) -> min((short[][]) blocks, at, (short[]) updates, units);
      case MAX ->
          (blocks, at, updates, units) -> max((short[][]) blocks, at, (short[]) updates, units);
      case FMIN ->
          (blocks, at, updates, units) -> fmin((short[][]) blocks, at, (short[]) updates, units);
      case FMAX ->
          (blocks, at, updates, units) -> fmax((short[][]) blocks, at, (short[]) updates, units);
      default -> throw new IllegalArgumentException(reduction.toString());
    };
  }

  private static void add(short[][] blocks, SliceAddresses at, short[] updates, int units) {
    for (int i = 0; i < at.count; i++) {
      short[] target = blocks[at.block[i]];
      int p = at.position[i];
      int q = at.row[i];
      for (int j = 0; j < units; j++) {
        target[p + j] = round(wide(target[p + j]) + wide(updates[q + j]));
      }
    }
  }

  private static void sub(short[][] blocks, SliceAddresses at, short[] updates, int units) {
    for (int i = 0; i < at.count; i++) {
      short[] target = blocks[at.block[i]];
      int p = at.position[i];
      int q = at.row[i];
      for (int j = 0; j < units; j++) {
        target[p + j] = round(wide(target[p + j]) - wide(updates[q + j]));
      }
    }
  }

  private static void mul(short[][] blocks, SliceAddresses at, short[] updates, int units) {
    for (int i = 0; i < at.count; i++) {
      short[] target = blocks[at.block[i]];
      int p = at.position[i];
      int q = at.row[i];
      for (int j = 0; j < units; j++) {
        target[p + j] = round(wide(target[p + j]) * wide(updates[q + j]));
      }
    }
  }

  private static void div(short[][] blocks, SliceAddresses at, short[] updates, int units) {
    for (int i = 0; i < at.count; i++) {
      short[] target = blocks[at.block[i]];
      int p = at.position[i];
      int q = at.row[i];
      for (int j = 0; j < units; j++) {
        target[p + j] = round(wide(target[p + j]) / wide(updates[q + j]));
      }
    }
  }

  private static void min(short[][] blocks, SliceAddresses at, short[] updates, int units) {
    for (int i = 0; i < at.count; i++) {
      short[] target = blocks[at.block[i]];
      int p = at.position[i];
      int q = at.row[i];
      for (int j = 0; j < units; j++) {
        target[p + j] = round(Math.min(wide(target[p + j]), wide(updates[q + j])));
      }
    }
  }

  private static void max(short[][] blocks, SliceAddresses at, short[] updates, int units) {
    for (int i = 0; i < at.count; i++) {
      short[] target = blocks[at.block[i]];
      int p = at.position[i];
      int q = at.row[i];
      for (int j = 0; j < units; j++) {
        target[p + j] = round(Math.max(wide(target[p + j]), wide(updates[q + j])));
      }
    }
  }

  private static void fmin(short[][] blocks, SliceAddresses at, short[] updates, int units) {
    for (int i = 0; i < at.count; i++) {
      short[] target = blocks[at.block[i]];
      int p = at.position[i];
      int q = at.row[i];
      for (int j = 0; j < units; j++) {
        target[p + j] = round(lesser(wide(target[p + j]), wide(updates[q + j])));
      }
    }
  }

  private static void fmax(short[][] blocks, SliceAddresses at, short[] updates, int units) {
    for (int i = 0; i < at.count; i++) {
      short[] target = blocks[at.block[i]];
      int p = at.position[i];
      int q = at.row[i];
      for (int j = 0; j < units; j++) {
        target[p + j] = round(greater(wide(target[p + j]), wide(updates[q + j])));
      }
    }
  }

  private static float wide(short half) {
    return HalfFloats.fromFloat16(half);
  }

  private static short round(float value) {
    return HalfFloats.toFloat16(value);
  }

  private static float lesser(float a, float b) {
    return Float.isNaN(a) ? b : Float.isNaN(b) ? a : Math.min(a, b);
  }

  private static float greater(float a, float b) {
    return Float.isNaN(a) ? b : Float.isNaN(b) ? a : Math.max(a, b);
  }
}
