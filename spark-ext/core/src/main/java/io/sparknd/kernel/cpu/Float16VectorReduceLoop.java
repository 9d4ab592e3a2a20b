/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.kernel.cpu;

import io.sparknd.kernel.spi.ScatterKernel;
import io.sparknd.kernel.spi.SliceAddresses;
import io.sparknd.op.Reduction;
import io.sparknd.tensor.HalfFloats;
import jdk.incubator.vector.ShortVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/**
 * Sums and differences of {@link Float16ReduceLoop} with the Vector API. Elements after the last
 * whole vector are added in a copy that is as long as a vector; vectors with infinite elements or
 * NaN by a plain loop.
 */
final class Float16VectorReduceLoop {
  private static final VectorSpecies<Short> SPECIES = ShortVector.SPECIES_PREFERRED;
  private static final int WIDTH = SPECIES.length();

  /** The fewest units of a slice; a plain loop is as fast for fewer. */
  static final int LEAST = 16;

  private static final short SIGN = (short) 0x8000;

  private Float16VectorReduceLoop() {}

  /** Whether there is a loop of {@code reduction}. */
  static boolean has(Reduction reduction) {
    return reduction == Reduction.ADD || reduction == Reduction.SUB;
  }

  /** Returns the loop of {@code reduction}. */
  static ScatterKernel kernel(Reduction reduction) {
    short flip = reduction == Reduction.SUB ? SIGN : 0;
    return (blocks, at, updates, units) ->
        add((short[][]) blocks, at, (short[]) updates, units, flip);
  }

  /** Adds the updates, whose signs are flipped by {@code flip}. */
  private static void add(
      short[][] blocks, SliceAddresses at, short[] updates, int units, short flip) {
    short[] x = new short[WIDTH];
    short[] y = new short[WIDTH];
    for (int i = 0; i < at.count; i++) {
      short[] target = blocks[at.block[i]];
      int p = at.position[i];
      int q = at.row[i];
      int whole = units - units % WIDTH;
      for (int j = 0; j < whole; j += WIDTH) {
        addVector(target, p + j, updates, q + j, flip);
      }
      if (whole < units) {
        System.arraycopy(target, p + whole, x, 0, units - whole);
        System.arraycopy(updates, q + whole, y, 0, units - whole);
        addVector(x, 0, y, 0, flip);
        System.arraycopy(x, 0, target, p + whole, units - whole);
      }
    }
  }

  private static void addVector(short[] target, int p, short[] updates, int q, short flip) {
    ShortVector a = ShortVector.fromArray(SPECIES, target, p);
    ShortVector b = ShortVector.fromArray(SPECIES, updates, q);
    if (Float16Vectors.hasSpecial(a, b)) {
      addPlain(target, p, updates, q, flip);
    } else {
      Float16Vectors.sum(a, b.lanewise(VectorOperators.XOR, flip)).intoArray(target, p);
    }
  }

  private static void addPlain(short[] target, int p, short[] updates, int q, short flip) {
    for (int j = 0; j < WIDTH; j++) {
      float update = HalfFloats.fromFloat16((short) (updates[q + j] ^ flip));
      target[p + j] = HalfFloats.toFloat16(HalfFloats.fromFloat16(target[p + j]) + update);
    }
  }
}
