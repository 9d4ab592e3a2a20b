/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.kernel.cpu;

import io.sparknd.kernel.spi.ScatterKernel;
import io.sparknd.kernel.spi.SliceAddresses;
import io.sparknd.op.Reduction;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/**
 * {@link FloatRealReduceLoop} with the Vector API, for slices of at least one vector. The last
 * vector may overlap the one before, as in {@link FloatVectorReduceLoop}.
 */
final class FloatVectorRealReduceLoop {
  private static final VectorSpecies<Float> SPECIES = FloatVector.SPECIES_PREFERRED;
  private static final int WIDTH = SPECIES.length();

  private FloatVectorRealReduceLoop() {}

  /** Returns the loop of {@code reduction}, for slices of at least one vector. */
  static ScatterKernel kernel(Reduction reduction) {
    return switch (reduction) {
      case DIV ->
          (blocks, at, updates, units) -> div((float[][]) blocks, at, (float[]) updates, units);
      case FMIN ->
          (blocks, at, updates, units) -> fmin((float[][]) blocks, at, (float[]) updates, units);
      case FMAX ->
          (blocks, at, updates, units) -> fmax((float[][]) blocks, at, (float[]) updates, units);
      default -> FloatVectorReduceLoop.kernel(reduction);
    };
  }

  private static void div(float[][] blocks, SliceAddresses at, float[] updates, int units) {
    int last = units - WIDTH;
    for (int i = 0; i < at.count; i++) {
      float[] target = blocks[at.block[i]];
      int p = at.position[i];
      int q = at.row[i];
      FloatVector end =
          div(
              FloatVector.fromArray(SPECIES, target, p + last),
              FloatVector.fromArray(SPECIES, updates, q + last));
      for (int j = 0; j < last; j += WIDTH) {
        div(
                FloatVector.fromArray(SPECIES, target, p + j),
                FloatVector.fromArray(SPECIES, updates, q + j))
            .intoArray(target, p + j);
      }
      end.intoArray(target, p + last);
    }
  }

  private static void fmin(float[][] blocks, SliceAddresses at, float[] updates, int units) {
    int last = units - WIDTH;
    for (int i = 0; i < at.count; i++) {
      float[] target = blocks[at.block[i]];
      int p = at.position[i];
      int q = at.row[i];
      FloatVector end =
          fmin(
              FloatVector.fromArray(SPECIES, target, p + last),
              FloatVector.fromArray(SPECIES, updates, q + last));
      for (int j = 0; j < last; j += WIDTH) {
        fmin(
                FloatVector.fromArray(SPECIES, target, p + j),
                FloatVector.fromArray(SPECIES, updates, q + j))
            .intoArray(target, p + j);
      }
      end.intoArray(target, p + last);
    }
  }

  private static void fmax(float[][] blocks, SliceAddresses at, float[] updates, int units) {
    int last = units - WIDTH;
    for (int i = 0; i < at.count; i++) {
      float[] target = blocks[at.block[i]];
      int p = at.position[i];
      int q = at.row[i];
      FloatVector end =
          fmax(
              FloatVector.fromArray(SPECIES, target, p + last),
              FloatVector.fromArray(SPECIES, updates, q + last));
      for (int j = 0; j < last; j += WIDTH) {
        fmax(
                FloatVector.fromArray(SPECIES, target, p + j),
                FloatVector.fromArray(SPECIES, updates, q + j))
            .intoArray(target, p + j);
      }
      end.intoArray(target, p + last);
    }
  }

  private static FloatVector div(FloatVector a, FloatVector b) {
    return a.div(b);
  }

  private static FloatVector fmin(FloatVector a, FloatVector b) {
    return a.min(b)
        .blend(b, a.compare(VectorOperators.NE, a))
        .blend(a, b.compare(VectorOperators.NE, b));
  }

  private static FloatVector fmax(FloatVector a, FloatVector b) {
    return a.max(b)
        .blend(b, a.compare(VectorOperators.NE, a))
        .blend(a, b.compare(VectorOperators.NE, b));
  }
}
