/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.examples.clicks;

import io.sparknd.embedding.EmbeddingRows;
import io.sparknd.embedding.Loss;
import io.sparknd.embedding.StepFunction;
import io.sparknd.examples.support.Logistic;
import io.sparknd.examples.support.TrainedRows;
import java.util.function.IntUnaryOperator;

/**
 * A second-order factorisation machine: the log odds of a click are a bias, plus a weight per
 * feature, plus the inner product of the factors of each pair of features. The table is {@code
 * [features + 1, 1 + factors]}: row {@code f} holds the weight and then the factors of feature
 * {@code f}; the first element of the last row is the bias.
 *
 * @param features the number of features of all fields
 */
public record FactorizationMachine(int features) implements StepFunction<Clicks> {

  /** The number of rows of the table. */
  public int rows() {
    return features + 1;
  }

  /** Returns the features of each example, then the row of the bias. */
  @Override
  public long[] ids(Clicks batch) {
    long[] ids = new long[batch.features().length + 1];
    for (int i = 0; i < batch.features().length; i++) {
      ids[i] = batch.features()[i];
    }
    ids[batch.features().length] = features;
    return ids;
  }

  @Override
  public Loss step(Clicks batch, EmbeddingRows rows) {
    Example example = new Example(rows.values(), rows.dim(), batch.fields());
    int bias = rows.slot(batch.features().length) * rows.dim();
    double loss = 0;
    for (int i = 0; i < batch.count(); i++) {
      int first = i * batch.fields();
      example.read(field -> rows.slot(first + field), bias);
      int label = batch.clicked()[i] ? 1 : 0;
      float slope = (float) (Logistic.probability(example.score()) - label);
      example.addGradients(slope, rows.gradients());
      loss += Logistic.loss(example.score(), label);
    }
    return new Loss(loss, batch.count());
  }

  /** Returns the log odds computed from trained rows. */
  public double[] scores(TrainedRows trained, Clicks of) {
    Example example = new Example(trained.values(), trained.dim(), of.fields());
    double[] scores = new double[of.count()];
    for (int i = 0; i < scores.length; i++) {
      int first = i * of.fields();
      example.read(field -> of.features()[first + field], features * trained.dim());
      scores[i] = example.score();
    }
    return scores;
  }

  /**
   * Evaluates one example at a time. With sums over features, all pairs of features take linear
   * time: {@code sum of <a, b> = (|sum of a|^2 - sum of |a|^2) / 2}.
   */
  private static final class Example {
    private final float[] values;
    private final int dim;
    private final int[] starts;
    private final float[] sums;
    private int bias;
    private float score;

    Example(float[] values, int dim, int fields) {
      this.values = values;
      this.dim = dim;
      this.starts = new int[fields];
      this.sums = new float[dim];
    }

    /** Reads the rows of an example's features; {@code bias} is the position of the bias. */
    void read(IntUnaryOperator rowOf, int bias) {
      this.bias = bias;
      for (int field = 0; field < starts.length; field++) {
        starts[field] = rowOf.applyAsInt(field) * dim;
      }
      score = values[bias];
      for (int d = 0; d < dim; d++) {
        float sum = 0;
        float squares = 0;
        for (int start : starts) {
          float value = values[start + d];
          sum += value;
          squares += value * value;
        }
        sums[d] = sum;
        score += d == 0 ? sum : (sum * sum - squares) / 2;
      }
    }

    float score() {
      return score;
    }

    /** Adds the gradient of a loss whose derivative by the score is {@code slope}. */
    void addGradients(float slope, float[] gradients) {
      gradients[bias] += slope;
      for (int start : starts) {
        gradients[start] += slope;
        for (int d = 1; d < dim; d++) {
          gradients[start + d] += slope * (sums[d] - values[start + d]);
        }
      }
    }
  }
}
