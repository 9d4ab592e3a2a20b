/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.step;

import java.io.Serializable;

/**
 * The range of mini-batches of one job.
 *
 * @param first first step, counted from 0 since the table was created
 * @param count number of mini-batches; may be 0
 */
public record StepRange(long first, int count) implements Serializable {
  public long step(int number) {
    return first + number;
  }

  /** Returns the step after the last one. */
  public long end() {
    return first + count;
  }
}
