/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.kernel.cudf;

import java.nio.ByteBuffer;

/**
 * A device that runs the native functions: a GPU, or in tests the host, for which the same
 * functions are compiled. A device serves one task and is not thread-safe.
 */
interface Device {
  /** Device memory, or host memory that the device copies from and to. */
  interface Memory extends AutoCloseable {
    long address();

    @Override
    void close();
  }

  /** Host memory for transfers. */
  interface Staging extends Memory {
    /** The whole buffer, in the byte order of the device. */
    ByteBuffer bytes();
  }

  /**
   * @throws OutOfDeviceMemory if the device has too little free memory
   */
  Memory memory(long bytes);

  Staging staging(int bytes);

  /** Copies the first {@code bytes} of {@code from} to position {@code at} of {@code to}. */
  void toDevice(Staging from, Memory to, long at, int bytes);

  /** Copies {@code bytes} from position {@code at} of {@code from}, and waits for the copy. */
  void toHost(Memory from, long at, Staging to, int bytes);

  /** The CUDA stream of the native functions. */
  long stream();

  /** Waits for all work on the stream. */
  void await();
}
