/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs progress every ten seconds and at the last step; a line covers the steps since the previous
 * one.
 */
final class TrainingLog implements TrainingListener {
  private static final Logger LOG = LoggerFactory.getLogger(Training.class);
  private static final double SECONDS = 10;

  private Loss loss = Loss.NONE;
  private int steps;
  private double logged;

  @Override
  public void stepped(TrainedStep step, long end) {
    loss = loss.and(step.loss());
    steps++;
    double seconds = step.seconds() - logged;
    if (seconds >= SECONDS || step.step() + 1 == end) {
      LOG.atInfo()
          .addKeyValue("step", step.step() + 1)
          .addKeyValue("loss", loss.mean())
          .log(
              "Step {} of {}: loss {}, {} examples/s, {} steps/s",
              step.step() + 1,
              end,
              String.format("%.5f", loss.mean()),
              Math.round(loss.examples() / seconds),
              String.format("%.1f", steps / seconds));
      loss = Loss.NONE;
      steps = 0;
      logged = step.seconds();
    }
  }

  /** Resets the log: the next run of the training counts its seconds from 0. */
  @Override
  public void ended() {
    loss = Loss.NONE;
    steps = 0;
    logged = 0;
  }
}
