/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding;

/** Receives the progress of a training, on the driver. */
public interface TrainingListener {
  /**
   * Called after each step, in step order; the steps of a job are reported together. In local mode
   * one Spark job takes the steps of half a second, or one longer step, unless {@link
   * TrainingSettings#checkpointEvery} is above 1.
   *
   * @param end number of the last step plus 1
   */
  void stepped(TrainedStep step, long end);

  /** Called after each validation, after the step that it follows. */
  default void validated(ValidatedStep validation) {}

  /** Called after the last step, or after a failure. */
  default void ended() {}
}
