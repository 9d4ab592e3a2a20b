/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding;

import io.sparknd.tensor.TensorErrors;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The result of a training.
 *
 * @param table the new version
 * @param steps the steps in order
 * @param seconds total duration
 */
public record Trained(EmbeddingTable table, List<TrainedStep> steps, double seconds) {
  public Trained {
    steps = List.copyOf(steps);
  }

  /**
   * Writes a CSV file with one line per step: its number, mean loss, examples, and seconds since
   * the training began.
   */
  public void toCsv(Path file) {
    StringBuilder csv = new StringBuilder("step,loss,examples,seconds\n");
    for (TrainedStep step : steps) {
      Loss loss = step.loss();
      csv.append(step.step()).append(',').append(loss.mean()).append(',');
      csv.append(loss.examples()).append(',').append(step.seconds()).append('\n');
    }
    try {
      Files.writeString(file, csv);
    } catch (IOException e) {
      throw TensorErrors.unwritableFile(file.toString(), e);
    }
  }

  /** Returns steps per second, including the first job and computing the last version. */
  public double stepsPerSecond() {
    return steps.size() / seconds;
  }

  /**
   * Returns the mean loss per example over the last {@code count} steps, or all if there are fewer.
   */
  public double loss(int count) {
    return steps.subList(Math.max(0, steps.size() - count), steps.size()).stream()
        .map(TrainedStep::loss)
        .reduce(Loss.NONE, Loss::and)
        .mean();
  }
}
