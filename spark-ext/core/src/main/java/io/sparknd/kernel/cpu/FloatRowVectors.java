/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.kernel.cpu;

import io.sparknd.kernel.cpu.FloatRows.AdagradStep;
import io.sparknd.kernel.cpu.FloatRows.AdamStep;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/**
 * The loops of {@link FloatRows} with the Vector API, as far as whole vectors go. Every method
 * returns the number of elements that it did, from the first on. Rows of one vector are done
 * without a loop, around which the compiler would put two more.
 */
final class FloatRowVectors {
  private static final VectorSpecies<Float> SPECIES = FloatVector.SPECIES_PREFERRED;
  private static final int WIDTH = SPECIES.length();

  private FloatRowVectors() {}

  static int copy(float[] from, int at, float[] to, int place, int dim) {
    if (dim == WIDTH) {
      copyVector(from, at, to, place);
      return dim;
    }
    int end = dim & -WIDTH;
    for (int i = 0; i < end; i += WIDTH) {
      copyVector(from, at + i, to, place + i);
    }
    return end;
  }

  private static void copyVector(float[] from, int at, float[] to, int place) {
    FloatVector.fromArray(SPECIES, from, at).intoArray(to, place);
  }

  static int take(float[] from, int at, float[] to, int place, int dim) {
    if (dim == WIDTH) {
      takeVector(from, at, to, place);
      return dim;
    }
    int end = dim & -WIDTH;
    for (int i = 0; i < end; i += WIDTH) {
      takeVector(from, at + i, to, place + i);
    }
    return end;
  }

  private static void takeVector(float[] from, int at, float[] to, int place) {
    copyVector(from, at, to, place);
    FloatVector.zero(SPECIES).intoArray(from, at);
  }

  /** Returns -1 if an element of these is not finite. */
  static int finite(float[] values, int from, int count) {
    if (count == WIDTH) {
      return isZero(zerosOrNaN(values, from)) ? count : -1;
    }
    int end = count & -WIDTH;
    FloatVector sum = FloatVector.zero(SPECIES);
    for (int i = 0; i < end; i += WIDTH) {
      sum = sum.add(zerosOrNaN(values, from + i));
    }
    return isZero(sum) ? end : -1;
  }

  /** Returns 0 or -0 for each finite number, else NaN. */
  private static FloatVector zerosOrNaN(float[] values, int from) {
    return FloatVector.fromArray(SPECIES, values, from).mul(0f);
  }

  private static boolean isZero(FloatVector vector) {
    return vector.compare(VectorOperators.EQ, 0f).allTrue();
  }

  static int adagrad(
      float[] weights,
      int at,
      float[] accumulators,
      int own,
      float[] slopes,
      int from,
      int dim,
      AdagradStep step) {
    if (dim == WIDTH) {
      adagradVector(weights, at, accumulators, own, slopes, from, step);
      return dim;
    }
    int end = dim & -WIDTH;
    for (int i = 0; i < end; i += WIDTH) {
      adagradVector(weights, at + i, accumulators, own + i, slopes, from + i, step);
    }
    return end;
  }

  private static void adagradVector(
      float[] weights,
      int at,
      float[] accumulators,
      int own,
      float[] slopes,
      int from,
      AdagradStep step) {
    FloatVector slope = FloatVector.fromArray(SPECIES, slopes, from);
    FloatVector accumulator =
        FloatVector.fromArray(SPECIES, accumulators, own).add(slope.mul(slope));
    accumulator.intoArray(accumulators, own);
    FloatVector root =
        accumulator.add(step.inside()).lanewise(VectorOperators.SQRT).add(step.outside());
    FloatVector.fromArray(SPECIES, weights, at)
        .sub(slope.mul(step.rate()).div(root))
        .intoArray(weights, at);
  }

  static int adam(
      float[] weights,
      int at,
      float[] ms,
      float[] vs,
      int own,
      float[] slopes,
      int from,
      int dim,
      AdamStep step) {
    if (dim == WIDTH) {
      adamVector(weights, at, ms, vs, own, slopes, from, step);
      return dim;
    }
    int end = dim & -WIDTH;
    for (int i = 0; i < end; i += WIDTH) {
      adamVector(weights, at + i, ms, vs, own + i, slopes, from + i, step);
    }
    return end;
  }

  private static void adamVector(
      float[] weights,
      int at,
      float[] ms,
      float[] vs,
      int own,
      float[] slopes,
      int from,
      AdamStep step) {
    FloatVector slope = FloatVector.fromArray(SPECIES, slopes, from);
    FloatVector oldM = FloatVector.fromArray(SPECIES, ms, own);
    FloatVector oldV = FloatVector.fromArray(SPECIES, vs, own);
    FloatVector m = oldM.add(slope.sub(oldM).mul(step.fresh1()));
    FloatVector v = oldV.add(slope.mul(slope).sub(oldV).mul(step.fresh2()));
    m.intoArray(ms, own);
    v.intoArray(vs, own);
    FloatVector root = v.lanewise(VectorOperators.SQRT).add(step.epsilon());
    FloatVector.fromArray(SPECIES, weights, at)
        .sub(m.mul(step.rate()).div(root))
        .intoArray(weights, at);
  }
}
