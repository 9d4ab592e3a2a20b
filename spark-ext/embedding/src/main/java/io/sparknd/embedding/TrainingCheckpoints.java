/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding;

import io.sparknd.embedding.internal.TrainingErrors;

/**
 * Where and how often a training saves what {@link Training#resume} goes on from. A checkpoint is a
 * saved table, and a file {@code checkpoint-STEPS.json} that is written last.
 *
 * @param directory a path or URI that the driver and every executor can write to, one for each
 *     training
 * @param everySteps saves after the steps of the table that are multiples of it; at least 1
 * @param kept number of checkpoints to keep; at least 1. Older ones are deleted, if this training
 *     wrote them. Nothing else in the directory is ever deleted, so parts of a save or of a
 *     deletion that was stopped stay
 */
public record TrainingCheckpoints(String directory, int everySteps, int kept) {
  private static final int KEPT = 2;

  public TrainingCheckpoints {
    if (everySteps < 1) {
      throw TrainingErrors.badTraining("everySteps", everySteps);
    }
    if (kept < 1) {
      throw TrainingErrors.badTraining("kept", kept);
    }
  }

  /** Returns checkpoints of which the last two are kept. */
  public static TrainingCheckpoints of(String directory, int everySteps) {
    return new TrainingCheckpoints(directory, everySteps, KEPT);
  }

  public TrainingCheckpoints keeping(int count) {
    return new TrainingCheckpoints(directory, everySteps, count);
  }
}
