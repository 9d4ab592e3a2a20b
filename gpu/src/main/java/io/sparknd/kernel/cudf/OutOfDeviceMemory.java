/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.kernel.cudf;

/** An allocation on the device failed. The caller retries with a smaller batch or on the CPU. */
final class OutOfDeviceMemory extends RuntimeException {
  private static final long serialVersionUID = 1;

  OutOfDeviceMemory(long bytes, Throwable cause) {
    super("cannot allocate " + bytes + " bytes", cause);
  }
}
