/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.options;

/** What happens to rows of updates whose key is NULL, or out of bounds of a numbered axis. */
public enum BadKeys {
  /** The call fails, and names the first such row. */
  ERROR,
  /** The rows are dropped and counted. */
  IGNORE
}
