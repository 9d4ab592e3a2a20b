/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.kernel.cpu;

import io.sparknd.tensor.HalfFloats;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.ShortVector;
import jdk.incubator.vector.VectorOperators;

/**
 * Sums of vectors of float16, with the bits of {@link HalfFloats}. An int lane holds a pair of
 * elements, so that vectors of all types have the same width. The methods are long, because the
 * compiler inlines only so much into a loop beside the Vector API itself.
 */
final class Float16Vectors {
  private static final short EXPONENT = 0x7c00;
  private static final int UPPER = 0xffff_0000;
  private static final int MAGNITUDE = 0x7fff_ffff;
  private static final int SIGN = 0x8000_0000;

  /** Clears the copies of the sign after a shift to the right by 3. */
  private static final int SHIFTED = 0x8fff_ffff;

  /** What the exponent of float32 has more than that of float16. */
  private static final int EXPONENT_SHIFT = 112 << 23;

  private static final float SCALE = 0x1p112f;
  private static final int LEAST_NORMAL = 0x3880_0000;
  private static final int INFINITE = 0x4780_0000;
  private static final int HALF = Float.floatToRawIntBits(0.5f);

  private Float16Vectors() {}

  /** Whether an element is infinite or NaN, which {@link #sum} does not support. */
  static boolean hasSpecial(ShortVector a, ShortVector b) {
    return a.and(EXPONENT).max(b.and(EXPONENT)).compare(VectorOperators.EQ, EXPONENT).anyTrue();
  }

  /** Returns the rounded sums of finite elements. */
  static ShortVector sum(ShortVector a, ShortVector b) {
    IntVector x = a.reinterpretAsInts();
    IntVector y = b.reinterpretAsInts();
    // products with a power of two are exact, also of subnormal numbers
    FloatVector x0 = shifted(x.lanewise(VectorOperators.LSHL, 16)).mul(SCALE);
    FloatVector y0 = shifted(y.lanewise(VectorOperators.LSHL, 16)).mul(SCALE);
    FloatVector x1 = shifted(x.and(UPPER)).mul(SCALE);
    FloatVector y1 = shifted(y.and(UPPER)).mul(SCALE);
    IntVector lower = x0.add(y0).reinterpretAsInts();
    IntVector upper = x1.add(y1).reinterpretAsInts();
    return magnitude(lower)
        .or(magnitude(upper).lanewise(VectorOperators.LSHL, 16))
        .or(lower.and(SIGN).lanewise(VectorOperators.LSHR, 16))
        .or(upper.and(SIGN))
        .reinterpretAsShorts();
  }

  /** Moves exponent and mantissa of float16 in the upper half to their places in float32. */
  private static FloatVector shifted(IntVector half) {
    return half.lanewise(VectorOperators.ASHR, 3).and(SHIFTED).reinterpretAsFloats();
  }

  /** Returns rounded float16 without sign, in the lower half. */
  private static IntVector magnitude(IntVector bits) {
    IntVector magnitude = bits.and(MAGNITUDE).min(INFINITE);
    IntVector isOdd = magnitude.lanewise(VectorOperators.LSHR, 13).and(1);
    IntVector normal =
        magnitude.add(isOdd).add(0xfff - EXPONENT_SHIFT).lanewise(VectorOperators.LSHR, 13);
    // adding 0.5 leaves the rounded multiple of 2^-24 in the low bits
    IntVector subnormal = magnitude.reinterpretAsFloats().add(0.5f).reinterpretAsInts().sub(HALF);
    return normal.blend(subnormal, magnitude.compare(VectorOperators.LT, LEAST_NORMAL));
  }
}
