/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.kernel.cudf;

import io.sparknd.kernel.KernelErrors;
import org.apache.spark.SparkEnv;
import org.apache.spark.network.util.JavaUtils;

/** How many bytes of blocks the application lets stay on the GPU of this executor. */
final class ResidentBytes {
  static final String SETTING = "spark.sparknd.kernel.cudf.residentBytes";

  private ResidentBytes() {}

  /**
   * None where there is no Spark.
   *
   * @throws io.sparknd.tensor.SparkNdException if it is no number of bytes
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
      } catch (NumberFormatException e) {
        throw KernelErrors.badByteCount(SETTING, value);
      }
    }
  }
}
