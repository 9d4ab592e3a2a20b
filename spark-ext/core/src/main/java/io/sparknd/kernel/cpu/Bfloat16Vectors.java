/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.kernel.cpu;

import io.sparknd.tensor.HalfFloats;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.ShortVector;
import jdk.incubator.vector.VectorOperators;

/**
 * Sums of vectors of bfloat16, with the bits of {@link HalfFloats}, in pairs as in {@link
 * Float16Vectors}.
 */
final class Bfloat16Vectors {
  private static final short EXPONENT = 0x7f80;
  private static final int UPPER = 0xffff_0000;

  private Bfloat16Vectors() {}

  /** Whether an element is infinite or NaN, which {@link #sum} does not support. */
  static boolean hasSpecial(ShortVector a, ShortVector b) {
    return a.and(EXPONENT).max(b.and(EXPONENT)).compare(VectorOperators.EQ, EXPONENT).anyTrue();
  }

  /** Returns the rounded sums of finite elements. */
  static ShortVector sum(ShortVector a, ShortVector b) {
    IntVector x = a.reinterpretAsInts();
    IntVector y = b.reinterpretAsInts();
    FloatVector x0 = x.lanewise(VectorOperators.LSHL, 16).reinterpretAsFloats();
    FloatVector y0 = y.lanewise(VectorOperators.LSHL, 16).reinterpretAsFloats();
    FloatVector x1 = x.and(UPPER).reinterpretAsFloats();
    FloatVector y1 = y.and(UPPER).reinterpretAsFloats();
    IntVector lower = rounded(x0.add(y0).reinterpretAsInts());
    IntVector upper = rounded(x1.add(y1).reinterpretAsInts());
    return lower.lanewise(VectorOperators.LSHR, 16).or(upper.and(UPPER)).reinterpretAsShorts();
  }

  /** Returns rounded bfloat16 in the upper half; the lower half is arbitrary. */
  private static IntVector rounded(IntVector bits) {
    return bits.add(bits.lanewise(VectorOperators.LSHR, 16).and(1)).add(0x7fff);
  }
}
