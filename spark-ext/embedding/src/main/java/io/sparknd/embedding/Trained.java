/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding;

import io.sparknd.tensor.TensorErrors;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * What a training made.
 *
 * @param table the new version
 * @param steps how they went, in their order
 * @param seconds that all of it took
 */
public record Trained(EmbeddingTable table, List<TrainedStep> steps, double seconds) {
  public Trained {
    steps = List.copyOf(steps);
  }

  /**
   * Writes a CSV file: a line a step, with its number, mean loss, examples, and seconds since the
   * training began.
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

  /** Steps a second, the first job and the last version included. */
  public double stepsPerSecond() {
    return steps.size() / seconds;
  }

  /**
   * The mean loss of an example over the last {@code count} steps, or over all where they are
   * fewer.
   */
  public double loss(int count) {
    return steps.subList(Math.max(0, steps.size() - count), steps.size()).stream()
        .map(TrainedStep::loss)
        .reduce(Loss.NONE, Loss::and)
        .mean();
  }
}
