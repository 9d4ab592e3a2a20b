/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding;

import io.sparknd.tensor.TensorErrors;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The course of a training.
 *
 * @param steps the steps of this run, in order
 * @param validations the validations in order, with those before a {@link Training#resume}
 * @param seconds total duration of this run
 */
public record TrainingHistory(
    List<TrainedStep> steps, List<ValidatedStep> validations, double seconds) {
  public TrainingHistory {
    steps = List.copyOf(steps);
    validations = List.copyOf(validations);
  }

  /**
   * Writes a CSV file with one line per step: its number, mean loss, examples, seconds since the
   * run began, and the metrics of a validation after the step, with their names as columns. Steps
   * before a {@link Training#resume} have a line if they were validated, without a loss.
   *
   * @throws io.sparknd.tensor.SparkNdException if {@code file} cannot be written
   */
  public void toCsv(Path file) {
    try {
      Files.writeString(file, TrainingCsv.of(steps, validations));
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
   *
   * @param count at least 1
   * @throws io.sparknd.tensor.SparkNdException if {@code count} is below 1
   */
  public double loss(int count) {
    int last = Math.min(steps.size(), TrainingSettings.atLeastOne("count", count));
    return steps.subList(steps.size() - last, steps.size()).stream()
        .map(TrainedStep::loss)
        .reduce(Loss.NONE, Loss::and)
        .mean();
  }
}
