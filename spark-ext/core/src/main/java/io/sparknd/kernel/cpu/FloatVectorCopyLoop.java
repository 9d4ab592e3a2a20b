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

  /**
   * Copies a slice. Its last vector ends at the slice's end and may overlap the one before. Up to
   * 16 vectors are copied without a loop, which would cost as much as the vectors.
   */
  private static void copy(float[] from, int p, float[] to, int q, int units) {
    int last = units - WIDTH;
    if (last > 15 * WIDTH) {
      System.arraycopy(from, p, to, q, units);
      return;
    }
    int j = 0;
    if (7 * WIDTH < last) {
      copyFour(from, p, to, q);
      copyFour(from, p + 4 * WIDTH, to, q + 4 * WIDTH);
      j = 8 * WIDTH;
    }
    if (j + 3 * WIDTH < last) {
      copyFour(from, p + j, to, q + j);
      j += 4 * WIDTH;
    }
    if (j + WIDTH < last) {
      copyOne(from, p + j, to, q + j);
      copyOne(from, p + j + WIDTH, to, q + j + WIDTH);
      j += 2 * WIDTH;
    }
    if (j < last) {
      copyOne(from, p + j, to, q + j);
    }
    copyOne(from, p + last, to, q + last);
  }

  private static void copyFour(float[] from, int p, float[] to, int q) {
    copyOne(from, p, to, q);
    copyOne(from, p + WIDTH, to, q + WIDTH);
    copyOne(from, p + 2 * WIDTH, to, q + 2 * WIDTH);
    copyOne(from, p + 3 * WIDTH, to, q + 3 * WIDTH);
  }

  private static void copyOne(float[] from, int p, float[] to, int q) {
    FloatVector.fromArray(SPECIES, from, p).intoArray(to, q);
  }
}
