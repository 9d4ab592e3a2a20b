/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.spark;

import io.sparknd.embedding.EmbeddingRows;
import io.sparknd.embedding.Loss;
import io.sparknd.embedding.StepFunction;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/**
 * A factorization machine without a bias. The first element of a row is the feature's weight, the
 * others are its factors. It is written by hand with the Vector API, as the fused peer is.
 */
record FmModel() implements StepFunction<FmBatch> {
  private static final VectorSpecies<Float> SPECIES = FloatVector.SPECIES_PREFERRED;
  private static final int WIDTH = SPECIES.length();

  @Override
  public long[] ids(FmBatch batch) {
    long[] ids = new long[batch.features().length];
    for (int i = 0; i < ids.length; i++) {
      ids[i] = batch.features()[i];
    }
    return ids;
  }

  @Override
  public Loss step(FmBatch batch, EmbeddingRows rows) {
    float[] sums = new float[rows.dim()];
    double loss = 0;
    for (int i = 0; i < batch.labels().length; i++) {
      float score = score(rows, i, sums);
      float label = batch.labels()[i];
      double decay = Math.exp(-Math.abs(score));
      double probability = score >= 0 ? 1 / (1 + decay) : decay / (1 + decay);
      learn(rows, i, sums, (float) (probability - label));
      loss += Math.max(score, 0) - label * score + Math.log1p(decay);
    }
    return new Loss(loss, batch.labels().length);
  }

  /** Returns the score of example {@code i}, and sums its rows. */
  private static float score(EmbeddingRows rows, int i, float[] sums) {
    int dim = rows.dim();
    float pairs = 0;
    for (int d = 0; d < dim; d += WIDTH) {
      FloatVector sum = FloatVector.zero(SPECIES);
      FloatVector squares = FloatVector.zero(SPECIES);
      for (int field = 0; field < FmData.FIELDS; field++) {
        int at = rows.slot(i * FmData.FIELDS + field) * dim;
        FloatVector values = FloatVector.fromArray(SPECIES, rows.values(), at + d);
        sum = sum.add(values);
        squares = squares.add(values.mul(values));
      }
      sum.intoArray(sums, d);
      FloatVector ofPairs = sum.mul(sum).sub(squares);
      pairs += ofPairs.reduceLanes(VectorOperators.ADD) - (d == 0 ? ofPairs.lane(0) : 0);
    }
    return sums[0] + pairs / 2;
  }

  /** Adds the gradients of example {@code i}; {@code slope} is that of the loss by the score. */
  private static void learn(EmbeddingRows rows, int i, float[] sums, float slope) {
    float[] gradients = rows.gradients();
    int dim = rows.dim();
    for (int field = 0; field < FmData.FIELDS; field++) {
      int at = rows.slot(i * FmData.FIELDS + field) * dim;
      float weight = gradients[at] + slope;
      for (int d = 0; d < dim; d += WIDTH) {
        FloatVector values = FloatVector.fromArray(SPECIES, rows.values(), at + d);
        FloatVector others = FloatVector.fromArray(SPECIES, sums, d).sub(values);
        FloatVector.fromArray(SPECIES, gradients, at + d)
            .add(others.mul(slope))
            .intoArray(gradients, at + d);
      }
      gradients[at] = weight;
    }
  }
}
