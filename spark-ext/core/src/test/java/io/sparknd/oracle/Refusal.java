/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.oracle;

/** The error of the oracle for a call that an engine must reject. */
public final class Refusal extends RuntimeException {
  private static final long serialVersionUID = 1;

  Refusal(String message) {
    super(message);
  }
}
