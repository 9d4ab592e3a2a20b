/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.deploy;

/** Something is not as it must be after a fault. */
final class DrillFailure extends RuntimeException {
  private static final long serialVersionUID = 1;

  DrillFailure(String what) {
    super(what);
  }
}
