/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.kernel.cpu;

import io.sparknd.kernel.spi.GatherKernel;
import io.sparknd.kernel.spi.ScatterKernel;
import io.sparknd.kernel.spi.SliceAddresses;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;

/** {@link FloatCopyLoop} with the Vector API, for slices of at least one vector. */
final class FloatVectorCopyLoop {
  private static final VectorSpecies<Float> SPECIES = FloatVector.SPECIES_PREFERRED;
  private static final int WIDTH = SPECIES.length();

  /** Never read; without this write the compiler would drop the prefetch reads. */
  @SuppressWarnings("UnusedVariable")
  private static int sink;

  private FloatVectorCopyLoop() {}

  static ScatterKernel scatter() {
    return (blocks, at, updates, units) ->
        scatter((float[][]) blocks, at, (float[]) updates, units);
  }

  static GatherKernel gather() {
    return (blocks, at, result, units) -> gather((float[][]) blocks, at, (float[]) result, units);
  }

  private static void scatter(float[][] blocks, SliceAddresses at, float[] updates, int units) {
    int last = units - WIDTH;
    int seen = 0;
    int count = at.count;
    int[] block = at.block;
    int[] position = at.position;
    int[] row = at.row;
    float[] only = blocks.length == 1 ? blocks[0] : null;
    for (int i = 0; i < count; i++) {
      int next = Math.min(i + Prefetch.AHEAD, count - 1);
      float[] ahead = only != null ? only : blocks[block[next]];
      seen |= FloatPrefetch.lines(ahead, position[next], last + WIDTH);
      float[] tensor = only != null ? only : blocks[block[i]];
      copy(updates, row[i], tensor, position[i], last + WIDTH);
    }
    sink = seen;
  }

  private static void gather(float[][] blocks, SliceAddresses at, float[] result, int units) {
    int last = units - WIDTH;
    int seen = 0;
    int count = at.count;
    int[] block = at.block;
    int[] position = at.position;
    int[] row = at.row;
    float[] only = blocks.length == 1 ? blocks[0] : null;
    for (int i = 0; i < count; i++) {
      int next = Math.min(i + Prefetch.AHEAD, count - 1);
      float[] ahead = only != null ? only : blocks[block[next]];
      seen |= FloatPrefetch.lines(ahead, position[next], last + WIDTH);
      float[] tensor = only != null ? only : blocks[block[i]];
      copy(tensor, position[i], result, row[i], last + WIDTH);
    }
    sink = seen;
  }

  /** Copies a slice. Its last vector ends at the slice's end and may overlap the one before. */
  private static void copy(float[] from, int p, float[] to, int q, int units) {
    int last = units - WIDTH;
    for (int j = 0; j < last; j += WIDTH) {
      FloatVector.fromArray(SPECIES, from, p + j).intoArray(to, q + j);
    }
    FloatVector.fromArray(SPECIES, from, p + last).intoArray(to, q + last);
  }
}
