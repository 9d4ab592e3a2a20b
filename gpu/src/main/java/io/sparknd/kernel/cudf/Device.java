/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.kernel.cudf;

import java.nio.ByteBuffer;

/**
 * Where the native functions run: a GPU; in tests also the host, with the same functions compiled
 * for it. One of them serves one task, and is not shared by threads.
 */
interface Device {
  /** Memory of the device, or for the device to copy from and to. */
  interface Memory extends AutoCloseable {
    long address();

    @Override
    void close();
  }

  /** Memory of the host that copies go through. */
  interface Staging extends Memory {
    /** All of it, in the byte order of the device. */
    ByteBuffer bytes();
  }

  /**
   * @throws OutOfDeviceMemory if there is not so much
   */
  Memory memory(long bytes);

  Staging staging(int bytes);

  /** Copies the first {@code bytes} of {@code from} to {@code at} bytes into {@code to}. */
  void toDevice(Staging from, Memory to, long at, int bytes);

  /**
   * Copies {@code bytes} from {@code at} bytes into {@code from}, and waits until they are there.
   */
  void toHost(Memory from, long at, Staging to, int bytes);

  /** What native functions run on, in order. */
  long stream();

  /** Waits until all is done that was asked for. */
  void await();
}
