/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.op;

/** What happens when several updates name the same slice. */
public enum Duplicates {
  /** They apply one after the other in the row-major order of the indices; the default. */
  IN_ORDER,
  /** The call fails and names the first that repeats. */
  ERROR
}
