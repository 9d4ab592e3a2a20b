/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.kernel.cpu;

import io.sparknd.kernel.spi.ScatterKernel;
import io.sparknd.kernel.spi.SliceAddresses;
import io.sparknd.op.Reduction;
import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/**
 * {@link LongUnsignedReduceLoop} with the Vector API, for slices of at least one vector. The last
 * vector may overlap the one before, as in {@link FloatVectorReduceLoop}.
 */
final class LongVectorUnsignedReduceLoop {
  private static final VectorSpecies<Long> SPECIES = LongVector.SPECIES_PREFERRED;
  private static final int WIDTH = SPECIES.length();

  private LongVectorUnsignedReduceLoop() {}

  /** Returns the loop of {@code reduction}, for slices of at least one vector. */
  static ScatterKernel kernel(Reduction reduction) {
    return switch (reduction) {
      case MIN, FMIN ->
          (blocks, at, updates, units) -> min((long[][]) blocks, at, (long[]) updates, units);
      case MAX, FMAX ->
          (blocks, at, updates, units) -> max((long[][]) blocks, at, (long[]) updates, units);
      default -> LongVectorReduceLoop.kernel(reduction);
    };
  }

  private static void min(long[][] blocks, SliceAddresses at, long[] updates, int units) {
    int last = units - WIDTH;
    for (int i = 0; i < at.count; i++) {
      long[] target = blocks[at.block[i]];
      int p = at.position[i];
      int q = at.row[i];
      LongVector end =
          min(
              LongVector.fromArray(SPECIES, target, p + last),
              LongVector.fromArray(SPECIES, updates, q + last));
      for (int j = 0; j < last; j += WIDTH) {
        min(
                LongVector.fromArray(SPECIES, target, p + j),
                LongVector.fromArray(SPECIES, updates, q + j))
            .intoArray(target, p + j);
      }
      end.intoArray(target, p + last);
    }
  }

  private static void max(long[][] blocks, SliceAddresses at, long[] updates, int units) {
    int last = units - WIDTH;
    for (int i = 0; i < at.count; i++) {
      long[] target = blocks[at.block[i]];
      int p = at.position[i];
      int q = at.row[i];
      LongVector end =
          max(
              LongVector.fromArray(SPECIES, target, p + last),
              LongVector.fromArray(SPECIES, updates, q + last));
      for (int j = 0; j < last; j += WIDTH) {
        max(
                LongVector.fromArray(SPECIES, target, p + j),
                LongVector.fromArray(SPECIES, updates, q + j))
            .intoArray(target, p + j);
      }
      end.intoArray(target, p + last);
    }
  }

  private static LongVector min(LongVector a, LongVector b) {
    return flip(flip(a).min(flip(b)));
  }

  private static LongVector max(LongVector a, LongVector b) {
    return flip(flip(a).max(flip(b)));
  }

  /** Flips the sign bit, which maps the unsigned order to the signed order and back. */
  private static LongVector flip(LongVector a) {
    return a.lanewise(VectorOperators.XOR, Long.MIN_VALUE);
  }
}
