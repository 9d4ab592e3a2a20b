/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The result of a training.
 *
 * @param table the new version
 * @param steps the steps of this run, in order
 * @param validations the validations in order, with those before a {@link Training#resume}
 * @param best the version with the best validation, if {@link Training#keepBest} keeps it
 * @param seconds total duration of this run
 */
public record TrainedEmbedding(
    EmbeddingTable table,
    List<TrainedStep> steps,
    List<ValidatedStep> validations,
    Optional<BestVersion> best,
    double seconds) {
  public TrainedEmbedding {
    steps = List.copyOf(steps);
    validations = List.copyOf(validations);
  }

  /** Creates the result of a training without validations. */
  public TrainedEmbedding(EmbeddingTable table, List<TrainedStep> steps, double seconds) {
    this(table, steps, List.of(), Optional.empty(), seconds);
  }

  /**
   * Writes a CSV file with one line per step: its number, mean loss, examples, seconds since the
   * run began, and the metrics of a validation after the step, with their names as columns. Steps
   * before a {@link Training#resume} have a line if they were validated, without a loss.
   *
   * @throws io.sparknd.tensor.SparkNdException if {@code file} cannot be written
   */
  public void toCsv(Path file) {
    history().toCsv(file);
  }

  /** Returns the course of the training. */
  public TrainingHistory history() {
    return new TrainingHistory(steps, validations, seconds);
  }

  /** Returns steps per second, including the first job and computing the last version. */
  public double stepsPerSecond() {
    return history().stepsPerSecond();
  }

  /**
   * Returns the mean loss per example over the last {@code count} steps, or all if there are fewer.
   *
   * @param count at least 1
   * @throws io.sparknd.tensor.SparkNdException if {@code count} is below 1
   */
  public double loss(int count) {
    return history().loss(count);
  }
}
