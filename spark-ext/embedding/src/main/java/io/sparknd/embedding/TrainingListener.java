/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding;

/** Hears how a training goes, on the driver. */
public interface TrainingListener {
  /**
   * After each step, in their order; those of one job come together.
   *
   * @param end the step that the training ends before
   */
  void stepped(TrainedStep step, long end);

  /** After the last step, or a failure. */
  default void ended() {}
}
