/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.examples.dense;

import io.sparknd.examples.support.Logistic;
import io.sparknd.examples.support.SeededDraws;
import io.sparknd.examples.support.WeightedChoice;
import java.io.Serializable;
import java.util.SplittableRandom;

/**
 * A click log with planted vectors: the log odds are inner products of the vectors of neighbouring
 * columns, plus the product of two numeric values and a weight of each feature.
 */
public final class PlantedClicks implements Serializable {
  private static final int DIM = 4;
  private static final double PAIRS = 1.2;
  private static final double WEIGHTS = 0.4;

  private final int columns;
  private final int numbers;
  private final int perColumn;
  private final long seed;
  private final WeightedChoice popular;

  /**
   * @param perColumn features of a column; popularity has a Zipf distribution
   */
  public PlantedClicks(int columns, int numbers, int perColumn, long seed) {
    this.columns = columns;
    this.numbers = numbers;
    this.perColumn = perColumn;
    this.seed = seed;
    this.popular = WeightedChoice.zipf(perColumn, 0.8);
  }

  /** Returns the examples of a part of a mini-batch. */
  public ClickExamples examples(long step, int shard, int count) {
    SplittableRandom random = SeededDraws.of(seed, step, shard);
    ClickExamples made =
        new ClickExamples(new long[count * columns], new float[count * numbers], new float[count]);
    for (int i = 0; i < count; i++) {
      for (int c = 0; c < columns; c++) {
        made.ids()[i * columns + c] = (long) c * perColumn + popular.draw(random);
      }
      for (int n = 0; n < numbers; n++) {
        made.numbers()[i * numbers + n] = (float) random.nextDouble(-1, 1);
      }
      double clicked = Logistic.probability(logOdds(made, i));
      made.labels()[i] = random.nextDouble() < clicked ? 1 : 0;
    }
    return made;
  }

  /** Returns the true log odds of an example. */
  public double logOdds(ClickExamples examples, int i) {
    double sum = 2 * examples.numbers()[i * numbers] * examples.numbers()[i * numbers + 1];
    for (int c = 0; c < columns; c++) {
      long one = examples.ids()[i * columns + c];
      long other = examples.ids()[i * columns + (c + 1) % columns];
      sum += WEIGHTS * SeededDraws.of(seed, one, -1).nextGaussian();
      SplittableRandom a = SeededDraws.of(seed, one, -2);
      SplittableRandom b = SeededDraws.of(seed, other, -2);
      for (int d = 0; d < DIM; d++) {
        sum += PAIRS / DIM * a.nextGaussian() * b.nextGaussian();
      }
    }
    return sum;
  }
}
