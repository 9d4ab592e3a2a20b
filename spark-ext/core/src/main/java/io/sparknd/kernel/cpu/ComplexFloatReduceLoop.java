/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.kernel.cpu;

import io.sparknd.kernel.spi.ScatterKernel;
import io.sparknd.kernel.spi.SliceAddresses;
import io.sparknd.op.Reduction;

/**
 * Reductions of complex slices, with two float units per element. Sums and differences are computed
 * unit by unit. A product is {@code (ac - bd) + (ad + bc)i} without fused operations. A quotient
 * uses Smith's algorithm ("Algorithm 116", CACM 1962) as in NumPy's {@code divide}; if the divisor
 * is zero, both parts are divided by zero.
 */
final class ComplexFloatReduceLoop {
  private ComplexFloatReduceLoop() {}

  /** Returns the loop of {@code reduction}. */
  static ScatterKernel kernel(Reduction reduction) {
    return switch (reduction) {
      case MUL ->
          (blocks, at, updates, units) -> mul((float[][]) blocks, at, (float[]) updates, units);
      case DIV ->
          (blocks, at, updates, units) -> div((float[][]) blocks, at, (float[]) updates, units);
      default -> FloatReduceLoop.kernel(reduction);
    };
  }

  private static void mul(float[][] blocks, SliceAddresses at, float[] updates, int units) {
    for (int i = 0; i < at.count; i++) {
      float[] target = blocks[at.block[i]];
      int p = at.position[i];
      int q = at.row[i];
      for (int j = 0; j < units; j += 2) {
        multiply(target, p + j, updates[q + j], updates[q + j + 1]);
      }
    }
  }

  private static void div(float[][] blocks, SliceAddresses at, float[] updates, int units) {
    for (int i = 0; i < at.count; i++) {
      float[] target = blocks[at.block[i]];
      int p = at.position[i];
      int q = at.row[i];
      for (int j = 0; j < units; j += 2) {
        divide(target, p + j, updates[q + j], updates[q + j + 1]);
      }
    }
  }

  private static void multiply(float[] target, int k, float real, float imaginary) {
    float a = target[k];
    float b = target[k + 1];
    target[k] = a * real - b * imaginary;
    target[k + 1] = a * imaginary + b * real;
  }

  private static void divide(float[] target, int k, float real, float imaginary) {
    float a = target[k];
    float b = target[k + 1];
    if (real == 0 && imaginary == 0) {
      float zero = Math.abs(real);
      target[k] = a / zero;
      target[k + 1] = b / zero;
    } else if (Math.abs(real) >= Math.abs(imaginary)) {
      float ratio = imaginary / real;
      float scale = 1 / (real + imaginary * ratio);
      target[k] = (a + b * ratio) * scale;
      target[k + 1] = (b - a * ratio) * scale;
    } else {
      float ratio = real / imaginary;
      float scale = 1 / (imaginary + real * ratio);
      target[k] = (a * ratio + b) * scale;
      target[k + 1] = (b * ratio - a) * scale;
    }
  }
}
