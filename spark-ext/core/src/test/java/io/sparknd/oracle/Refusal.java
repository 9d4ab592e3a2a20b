/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.oracle;

/** What the oracle says where an engine has to refuse a call. */
public final class Refusal extends RuntimeException {
  private static final long serialVersionUID = 1;

  Refusal(String message) {
    super(message);
  }
}
