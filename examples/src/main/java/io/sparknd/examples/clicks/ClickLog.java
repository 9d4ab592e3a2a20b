/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.examples.clicks;

import io.sparknd.examples.support.Logistic;
import io.sparknd.examples.support.SeededDraws;
import io.sparknd.examples.support.TrainedRows;
import io.sparknd.examples.support.WeightedChoice;
import java.io.Serializable;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * A generated click log with a known model. An example has one value per field; popular values are
 * more frequent. The click probability is given by a factorisation machine, whose ranking is
 * optimal.
 */
public final class ClickLog implements Serializable {
  private static final double POPULARITY = 1.05;
  private static final double LINEAR = 0.4;
  private static final double FACTOR = 0.35;
  private static final float BIAS = -2;

  private final long seed;
  private final int[] firsts;
  private final WeightedChoice[] values;
  private final FactorizationMachine machine;
  private final TrainedRows planted;

  /**
   * @param sizes the number of values, which are the features, of each field
   * @param factors factors per feature
   */
  public ClickLog(int[] sizes, int factors, long seed) {
    this.seed = seed;
    this.firsts = new int[sizes.length];
    for (int field = 1; field < sizes.length; field++) {
      firsts[field] = firsts[field - 1] + sizes[field - 1];
    }
    this.values =
        Arrays.stream(sizes)
            .mapToObj(size -> WeightedChoice.zipf(size, POPULARITY))
            .toArray(WeightedChoice[]::new);
    this.machine = new FactorizationMachine(IntStream.of(sizes).sum());
    this.planted = planted(machine.rows(), 1 + factors, SeededDraws.of(seed, 0));
  }

  private static TrainedRows planted(int rows, int dim, SplittableRandom random) {
    float[] rowsOf = new float[rows * dim];
    for (int i = 0; i < rowsOf.length; i++) {
      rowsOf[i] = (float) (random.nextGaussian() * (i % dim == 0 ? LINEAR : FACTOR));
    }
    rowsOf[(rows - 1) * dim] = BIAS;
    return new TrainedRows(rowsOf, dim);
  }

  /** The true model, without its rows. */
  public FactorizationMachine machine() {
    return machine;
  }

  /** Generates examples from number {@code first} on. */
  public Clicks clicks(long first, int count) {
    int fields = values.length;
    Clicks clicks = new Clicks(new int[count * fields], new boolean[count], fields);
    SplittableRandom[] randoms = new SplittableRandom[count];
    for (int i = 0; i < count; i++) {
      randoms[i] = SeededDraws.of(seed, 1, first + i);
      for (int field = 0; field < fields; field++) {
        clicks.features()[i * fields + field] = firsts[field] + values[field].draw(randoms[i]);
      }
    }
    double[] scores = scores(clicks);
    for (int i = 0; i < count; i++) {
      clicks.clicked()[i] = randoms[i].nextDouble() < Logistic.probability(scores[i]);
    }
    return clicks;
  }

  /** Returns the scores of the true model. */
  public double[] scores(Clicks clicks) {
    return machine.scores(planted, clicks);
  }
}
