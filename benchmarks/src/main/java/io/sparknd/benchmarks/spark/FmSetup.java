/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.spark;

import io.sparknd.embedding.optimizer.Initializer;
import io.sparknd.embedding.optimizer.Optimizer;
import java.util.List;

/**
 * The training of a factorization machine that SparkND and PyTorch run.
 *
 * @param dim elements of a row
 * @param steps steps of one run
 */
record FmSetup(FmData data, int dim, Rule rule, int steps) {
  static final double RATE = 0.02;
  static final Initializer INITIALIZER = Initializer.uniform(-0.05, 0.05, 1);

  /** Losses differ by the order of sums in float32; each step's differences enter the next. */
  private static final double TOLERANCE = 1e-3;

  /** An optimizer that both have with the same formula. */
  enum Rule {
    ADAGRAD,
    ADAM
  }

  Optimizer optimizer() {
    return rule == Rule.ADAGRAD
        ? Optimizer.torchAdagrad(RATE)
        : Optimizer.adam(RATE).withEpsilon(1e-8);
  }

  /** Steps of the run whose losses are compared: every mini-batch comes twice. */
  int checkedSteps() {
    return 2 * data.batches();
  }

  /**
   * Checks that losses are those of the same training.
   *
   * @throws IllegalStateException if they are not
   */
  static void check(List<Double> losses, List<Double> expected) {
    for (int step = 0; step < expected.size(); step++) {
      double difference = Math.abs(losses.get(step) - expected.get(step));
      if (!(difference <= TOLERANCE * Math.abs(expected.get(step)))) {
        throw new IllegalStateException(
            "losses of step " + step + " differ: " + losses + " and " + expected);
      }
    }
  }
}
