/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.lifecycle;

/** The order in which rows are evicted to a bound. Equal rows go in ascending order of ids. */
public enum EvictionOrder {
  /** The row whose last update is the oldest goes first. Needs {@link RowUsage#UPDATES}. */
  LEAST_RECENT,

  /** The row that the fewest steps updated goes first. Needs {@link RowUsage#UPDATES}. */
  LEAST_FREQUENT,

  /** The row with the smallest L2 norm of weights goes first; NaN is larger than all numbers. */
  SMALLEST
}
