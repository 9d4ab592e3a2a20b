/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.deploy;

/** The state after a fault is wrong, or the fault did not occur. */
final class DrillFailure extends RuntimeException {
  private static final long serialVersionUID = 1;

  DrillFailure(String what) {
    super(what);
  }
}
