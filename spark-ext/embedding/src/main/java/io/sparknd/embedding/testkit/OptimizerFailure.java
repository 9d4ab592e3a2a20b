/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.testkit;

/**
 * A check that an optimizer does not pass.
 *
 * @param check name of the check, as in {@link OptimizerChecks}
 * @param message the first difference, with its place {@code [row, element]} and both values
 */
public record OptimizerFailure(String check, String message) {
  @Override
  public String toString() {
    return check + ": " + message;
  }
}
