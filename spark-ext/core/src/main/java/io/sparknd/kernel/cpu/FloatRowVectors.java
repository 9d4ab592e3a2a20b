/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.kernel.cpu;

import io.sparknd.kernel.cpu.FloatRows.AdagradStep;
import io.sparknd.kernel.cpu.FloatRows.AdamStep;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/**
 * The loops of {@link FloatRows} with the Vector API, as far as whole vectors go. Every method
 * returns the number of elements that it did, from the first on.
 */
final class FloatRowVectors {
  private static final VectorSpecies<Float> SPECIES = FloatVector.SPECIES_PREFERRED;
  private static final int WIDTH = SPECIES.length();

  private FloatRowVectors() {}

  static int copy(float[] from, int at, float[] to, int place, int dim) {
    int end = dim & -WIDTH;
    for (int i = 0; i < end; i += WIDTH) {
      FloatVector.fromArray(SPECIES, from, at + i).intoArray(to, place + i);
    }
    return end;
  }

  /** Returns -1 if an element of these is not finite. */
  static int finite(float[] values, int from, int count) {
    int end = count & -WIDTH;
    FloatVector sum = FloatVector.zero(SPECIES);
    for (int i = 0; i < end; i += WIDTH) {
      // 0 or -0 for a finite number, else NaN
      sum = sum.add(FloatVector.fromArray(SPECIES, values, from + i).mul(0f));
    }
    return sum.compare(VectorOperators.EQ, 0f).allTrue() ? end : -1;
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
    int end = dim & -WIDTH;
    for (int i = 0; i < end; i += WIDTH) {
      FloatVector slope = FloatVector.fromArray(SPECIES, slopes, from + i);
      FloatVector accumulator =
          FloatVector.fromArray(SPECIES, accumulators, own + i).add(slope.mul(slope));
      accumulator.intoArray(accumulators, own + i);
      FloatVector root =
          accumulator.add(step.inside()).lanewise(VectorOperators.SQRT).add(step.outside());
      FloatVector.fromArray(SPECIES, weights, at + i)
          .sub(slope.mul(step.rate()).div(root))
          .intoArray(weights, at + i);
    }
    return end;
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
    int end = dim & -WIDTH;
    for (int i = 0; i < end; i += WIDTH) {
      FloatVector slope = FloatVector.fromArray(SPECIES, slopes, from + i);
      FloatVector oldM = FloatVector.fromArray(SPECIES, ms, own + i);
      FloatVector oldV = FloatVector.fromArray(SPECIES, vs, own + i);
      FloatVector m = oldM.add(slope.sub(oldM).mul(step.fresh1()));
      FloatVector v = oldV.add(slope.mul(slope).sub(oldV).mul(step.fresh2()));
      m.intoArray(ms, own + i);
      v.intoArray(vs, own + i);
      FloatVector root = v.lanewise(VectorOperators.SQRT).add(step.epsilon());
      FloatVector.fromArray(SPECIES, weights, at + i)
          .sub(m.mul(step.rate()).div(root))
          .intoArray(weights, at + i);
    }
    return end;
  }
}
