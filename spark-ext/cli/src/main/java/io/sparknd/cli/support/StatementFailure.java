/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cli.support;

/** A statement of a script failed with an internal error; the message has its class. */
public final class StatementFailure extends RuntimeException {
  private static final long serialVersionUID = 1;

  public StatementFailure(String message, Throwable cause) {
    super(message, cause);
  }
}
