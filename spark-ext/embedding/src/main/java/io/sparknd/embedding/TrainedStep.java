/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding;

/**
 * A step that was done.
 *
 * @param step counted from 0 since the table was made
 * @param loss of the mini-batch, before the step
 * @param seconds since the training began, when the job of the step had ended
 */
public record TrainedStep(long step, Loss loss, double seconds) {}
