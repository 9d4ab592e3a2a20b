/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.kernel.cudf;

import io.sparknd.kernel.KernelErrors;
import org.apache.spark.SparkEnv;
import org.apache.spark.network.util.JavaUtils;

/** The configured limit for blocks that stay on the GPU of this executor. */
final class ResidentBytes {
  static final String SETTING = "spark.sparknd.kernel.cudf.residentBytes";

  private ResidentBytes() {}

  /**
   * Returns the limit in bytes; 0 without Spark.
   *
   * @throws io.sparknd.tensor.SparkNdException if the value is not a number of bytes
   */
  static long configured() {
    return TaskGpu.HAS_SPARK ? InSpark.configured() : 0;
  }

  private static final class InSpark {
    static long configured() {
      SparkEnv env = SparkEnv.get();
      String value = env == null ? "0" : env.conf().get(SETTING, "0");
      try {
        return JavaUtils.byteStringAsBytes(value);
      } catch (IllegalArgumentException e) { // also of numbers over 2^63 - 1 bytes
        throw KernelErrors.badByteCount(SETTING, value);
      }
    }
  }
}
