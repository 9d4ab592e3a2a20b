/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.kernel.cudf;

/** A device has no room for a batch: a smaller one may fit, or it is left to the processor. */
final class OutOfDeviceMemory extends RuntimeException {
  private static final long serialVersionUID = 1;

  OutOfDeviceMemory(long bytes, Throwable cause) {
    super("no room for " + bytes + " bytes", cause);
  }
}
