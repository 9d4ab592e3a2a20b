/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.rows;

import io.sparknd.tensor.DType;
import io.sparknd.tensor.HalfFloats;

/** Rounds rows of float32 to float16 and bfloat16 stochastically. */
public final class HalfFloatRows {
  private static final long GOLDEN = 0x9e3779b97f4a7c15L;

  /** An odd constant of high bits, unrelated to {@link #GOLDEN}. */
  private static final long SLOTS = 0xd1b54a32d192ed03L;

  private static final int INFINITY = 0x7f80_0000;
  private static final float LARGEST_FLOAT16 = 65504;
  private static final float SMALLEST_NORMAL_FLOAT16 = 0x1p-14f;

  private HalfFloatRows() {}

  /** Returns the stream of random bits for the weights of a row in a step. */
  public static long weightStream(long id, long step) {
    return HashedKeyDirectory.mix(HashedKeyDirectory.mix(step + GOLDEN) + id * GOLDEN);
  }

  /** Returns the stream of random bits for slot {@code slot} of a row in a step. */
  public static long slotStream(long id, long step, int slot) {
    return HashedKeyDirectory.mix(weightStream(id, step) ^ (slot + 1) * SLOTS);
  }

  /**
   * Rounds each element stochastically to one of its two neighbors, drawn from the stream and the
   * element's position. Representable values are unchanged. float16 values from 65504 on, and
   * bfloat16 values whose draw overflows, are rounded to nearest.
   */
  public static void roundStochastically(
      DType dtype, float[] from, int at, short[] to, int first, int count, long stream) {
    for (int i = 0; i < count; i++) {
      int random = (int) (HashedKeyDirectory.mix(stream + (i + 1) * GOLDEN) >>> 32);
      float value = from[at + i];
      to[first + i] = dtype == DType.FLOAT16 ? float16(value, random) : bfloat16(value, random);
    }
  }

  /**
   * Rounds state to bfloat16 as {@link #roundStochastically} does. Each draw of 64 bits is for four
   * elements: bfloat16 needs 16 random bits.
   */
  public static void roundState(float[] from, short[] to, int first, int count, long stream) {
    long random = 0;
    for (int i = 0; i < count; i++) {
      random =
          (i & 3) == 0
              ? HashedKeyDirectory.mix(stream + (i / 4 + 1) * GOLDEN)
              : random >>> Short.SIZE;
      to[first + i] = bfloat16(from[i], (int) random << Short.SIZE);
    }
  }

  private static short bfloat16(float value, int random) {
    int bits = Float.floatToRawIntBits(value);
    int drawn = bits + (random >>> 16);
    boolean isTooLarge = (bits & INFINITY) == INFINITY || (drawn & INFINITY) == INFINITY;
    return isTooLarge ? HalfFloats.toBfloat16(value) : (short) (drawn >>> 16);
  }

  private static short float16(float value, int random) {
    float size = Math.abs(value);
    if (!(size < LARGEST_FLOAT16)) {
      return HalfFloats.toFloat16(value);
    }
    int bits = Float.floatToRawIntBits(value);
    if (size >= SMALLEST_NORMAL_FLOAT16) {
      return HalfFloats.toFloat16(Float.intBitsToFloat((bits + (random >>> 19)) & ~0x1fff));
    }
    float units = size * 0x1p24f; // exact: in units of the smallest float16
    int whole = (int) units;
    boolean isUp = (random >>> 8) * 0x1p-24f < units - whole;
    return (short) ((bits >>> 16 & 0x8000) | (isUp ? whole + 1 : whole));
  }
}
