/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.kernel.cpu;

import io.sparknd.kernel.Addresses;
import io.sparknd.kernel.GatherKernel;
import io.sparknd.kernel.ScatterKernel;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;

/** {@link FloatMoves} with the Vector API, for slices of at least one vector. */
final class FloatVectorMoves {
  private static final VectorSpecies<Float> SPECIES = FloatVector.SPECIES_PREFERRED;
  private static final int WIDTH = SPECIES.length();

  private FloatVectorMoves() {}

  static ScatterKernel scatter() {
    return (blocks, at, updates, units) ->
        scatter((float[][]) blocks, at, (float[]) updates, units);
  }

  static GatherKernel gather() {
    return (blocks, at, result, units) -> gather((float[][]) blocks, at, (float[]) result, units);
  }

  private static void scatter(float[][] blocks, Addresses at, float[] updates, int units) {
    float touched = 0;
    for (int i = 0; i < at.count; i++) {
      int later = Math.min(i + Touch.AHEAD, at.count - 1);
      touched += blocks[at.block[later]][at.position[later]];
      copy(updates, at.row[i], blocks[at.block[i]], at.position[i], units);
    }
    Touch.keep(touched);
  }

  private static void gather(float[][] blocks, Addresses at, float[] result, int units) {
    float touched = 0;
    for (int i = 0; i < at.count; i++) {
      int later = Math.min(i + Touch.AHEAD, at.count - 1);
      touched += blocks[at.block[later]][at.position[later]];
      copy(blocks[at.block[i]], at.position[i], result, at.row[i], units);
    }
    Touch.keep(touched);
  }

  /** The last vector ends where the slice ends, whether or not that overlaps the one before. */
  private static void copy(float[] from, int p, float[] to, int q, int units) {
    int last = units - WIDTH;
    for (int j = 0; j < last; j += WIDTH) {
      FloatVector.fromArray(SPECIES, from, p + j).intoArray(to, q + j);
    }
    FloatVector.fromArray(SPECIES, from, p + last).intoArray(to, q + last);
  }
}
