/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding;

import java.io.Serializable;

/**
 * The mini-batches of one job.
 *
 * @param first step, counted from 0 since the table was made
 * @param count how many; may be 0
 */
record StepRange(long first, int count) implements Serializable {
  long step(int number) {
    return first + number;
  }
}
