/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.examples.dense;

import java.io.Serializable;

/**
 * Visits of users to items.
 *
 * @param logFrequencies the logarithm of the part of all visits that each item has
 */
public record Visits(long[] users, long[] items, float[] logFrequencies) implements Serializable {
  /** The number of visits. */
  public int count() {
    return users.length;
  }
}
