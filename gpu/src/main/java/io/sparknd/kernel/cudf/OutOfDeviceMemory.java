/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.kernel.cudf;

import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** An allocation on the device failed. The caller retries with a smaller batch or on the CPU. */
final class OutOfDeviceMemory extends RuntimeException {
  private static final long serialVersionUID = 1;

  /**
   * What the RAPIDS Accelerator throws in the tasks that it manages; not on the class path here.
   */
  private static final String OF_RAPIDS = "com.nvidia.spark.rapids.jni.GpuOOM";

  OutOfDeviceMemory(long bytes, Throwable cause) {
    super("cannot allocate " + bytes + " bytes", cause);
  }

  /** Whether {@code error} says that device memory is exhausted: cuDF's, RAPIDS's or this one. */
  static boolean isMeantBy(Throwable error) {
    return error instanceof OutOfMemoryError
        || error instanceof OutOfDeviceMemory
        || Stream.<Class<?>>iterate(error.getClass(), c -> c != null, Class::getSuperclass)
            .anyMatch(c -> c.getName().equals(OF_RAPIDS));
  }

  /** Returns the result of {@code call}; empty if device memory does not suffice for it. */
  static <T> Optional<T> orEmpty(Supplier<Optional<T>> call) {
    try {
      return call.get();
    } catch (RuntimeException | OutOfMemoryError e) {
      if (isMeantBy(e)) {
        return Optional.empty();
      }
      throw e;
    }
  }
}
