/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.kernel;

import static io.sparknd.tensor.ErrorCondition.GPU_FAILED;
import static io.sparknd.tensor.ErrorCondition.INVALID_SETTING;
import static io.sparknd.tensor.ErrorCondition.KERNEL_NOT_AVAILABLE;
import static io.sparknd.tensor.ErrorCondition.TOO_LARGE;
import static io.sparknd.tensor.ErrorCondition.UNKNOWN_OPTION_VALUE;
import static io.sparknd.tensor.ErrorFactory.attribute;
import static io.sparknd.tensor.ErrorFactory.failedState;
import static io.sparknd.tensor.ErrorFactory.reason;
import static io.sparknd.tensor.ErrorFactory.shape;
import static io.sparknd.tensor.ErrorFactory.state;

import io.sparknd.tensor.SparkNdException;
import org.jspecify.annotations.Nullable;

/** Errors of kernels. */
public final class KernelErrors {
  private KernelErrors() {}

  public static SparkNdException badThreads(int count) {
    return attribute(
        INVALID_SETTING.sub("BAD_THREADS"), "threads is <count>; kernels run on 1 or more", count);
  }

  public static SparkNdException unknownKernel(String name, String known) {
    return attribute(
        UNKNOWN_OPTION_VALUE.sub("UNKNOWN_KERNEL"),
        "kernel '<name>' is unknown; use one of <known>",
        name,
        known);
  }

  public static SparkNdException kernelNeedsModule(String name, String module) {
    return state(
        KERNEL_NOT_AVAILABLE.sub("KERNEL_NEEDS_MODULE"),
        "kernel '<name>' needs the module <module>, which this JVM was started without:"
            + " start it with --add-modules=<module>, or use kernel 'auto' or 'scalar'",
        name,
        module,
        module);
  }

  public static SparkNdException kernelCannotRun(String name, String why) {
    return state(
        KERNEL_NOT_AVAILABLE.sub("KERNEL_CANNOT_RUN"),
        "kernel '<name>' cannot run here: <why>; use kernel 'auto'",
        name,
        why);
  }

  public static SparkNdException kernelNotInstalled(String name, String jar) {
    return state(
        KERNEL_NOT_AVAILABLE.sub("KERNEL_NOT_INSTALLED"),
        "kernel '<name>' is in the jar <jar>, which is not on the class path: add it, "
            + "or use kernel 'auto', 'vector' or 'scalar'",
        name,
        jar);
  }

  public static SparkNdException libraryMissing(String library) {
    return state(
        KERNEL_NOT_AVAILABLE.sub("LIBRARY_MISSING"),
        "the native library <library> is not in this jar: it was built without nvcc",
        library);
  }

  public static SparkNdException libraryNotLoaded(Throwable cause, String library) {
    return failedState(
        cause,
        KERNEL_NOT_AVAILABLE.sub("LIBRARY_NOT_LOADED"),
        "the native library <library> cannot be loaded: <reason>; it needs Linux on x86-64 with glibc 2.34 or"
            + " later, and a temporary directory that libraries may be loaded from",
        library,
        reason(cause));
  }

  public static SparkNdException deviceFailed(String function, int error) {
    return deviceFailed(null, function, error);
  }

  /**
   * @param error CUDA's number or name of the error
   */
  public static SparkNdException deviceFailed(
      @Nullable Throwable cause, String function, Object error) {
    return failedState(
        cause,
        GPU_FAILED.sub("DEVICE_FAILED"),
        "CUDA failed with error <error> in <function>; restart the process that uses " + "the GPU",
        error,
        function);
  }

  public static SparkNdException batchTooLarge(int rows, long limit) {
    return shape(
        TOO_LARGE.sub("BATCH_TOO_LARGE"),
        "the tensors that a batch of <rows> rows gives have more than <limit> elements, or inner"
            + " arrays, together, and a column on a GPU holds no more: use smaller batches"
            + " (spark.rapids.sql.batchSizeBytes, spark.rapids.sql.reader.batchSizeRows)",
        rows,
        limit);
  }

  public static SparkNdException oneGpuPerExecutor(int used, int requested) {
    return state(
        GPU_FAILED.sub("ONE_GPU_PER_EXECUTOR"),
        "a task was given GPU <requested> in an executor that uses GPU <used>: give an executor one GPU"
            + " (spark.executor.resource.gpu.amount=1)",
        requested,
        used);
  }

  public static SparkNdException badGpuAddress(String address) {
    return attribute(
        INVALID_SETTING.sub("BAD_GPU_ADDRESS"),
        "the address of a GPU is '<address>'; it must be its number, as nvidia-smi counts",
        address);
  }

  public static SparkNdException badByteCount(String setting, String value) {
    return attribute(
        INVALID_SETTING.sub("BAD_BYTE_COUNT"),
        "<setting> = '<value>' is not a number of bytes, such as 8g",
        setting,
        value);
  }
}
