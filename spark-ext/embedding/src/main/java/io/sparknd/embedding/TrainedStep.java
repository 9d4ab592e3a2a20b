/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding;

/**
 * A completed step.
 *
 * @param step counted from 0 since the table was created
 * @param loss loss of the mini-batch, before the step
 * @param seconds from the beginning of the training to the end of the step's job
 */
public record TrainedStep(long step, Loss loss, double seconds) {}
