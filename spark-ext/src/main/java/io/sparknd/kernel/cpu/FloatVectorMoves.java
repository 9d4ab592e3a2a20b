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
    for (int i = 0; i < at.count; i++) {
      copy(updates, at.row[i], blocks[at.block[i]], at.position[i], units);
    }
  }

  private static void gather(float[][] blocks, Addresses at, float[] result, int units) {
    for (int i = 0; i < at.count; i++) {
      copy(blocks[at.block[i]], at.position[i], result, at.row[i], units);
    }
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
