/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.skew;

import io.sparknd.cluster.internal.spark.ClusterCores;
import io.sparknd.cluster.internal.spark.SparkNdSetting;
import org.apache.spark.sql.SparkSession;

/**
 * The cost model that decides whether separate tasks fold hot slices: {@code
 * spark.sparknd.skewBytes}.
 *
 * @param bytes the bytes of updates beyond the median that a partition must have; 0 to split every
 *     repeated piece; {@link #AUTO} to split if that is predicted to save time
 * @param cores the cores that tasks share
 */
public record SkewPolicy(long bytes, int cores) {
  static final long AUTO = -1;

  /** Bytes that could be folded in the time that the additional jobs take, whatever their size. */
  private static final long JOBS_BYTES = 64L << 20;

  /** Sending updates again takes about as long as folding this many times as many. */
  private static final int SENDING = 10;

  /** Returns the policy that the session configures. */
  public static SkewPolicy of(SparkSession spark) {
    int cores = ClusterCores.of(spark);
    return new SkewPolicy(SparkNdSetting.SKEW_BYTES.bytesIn(spark).orElse(AUTO), cores);
  }

  public boolean isAlways() {
    return bytes == 0;
  }

  /**
   * Whether a split could pay if there are at most {@code most} bytes of updates. With {@link
   * #SENDING} + 1 cores or fewer, sending the updates again takes longer than it saves, even if one
   * partition has all of them.
   */
  public boolean mayPay(int partitions, long most) {
    return bytes == AUTO
        ? partitions > 1 && cores > SENDING + 1 && most > JOBS_BYTES
        : isAlways() || partitions > 1 && most > bytes;
  }

  /**
   * Whether a split pays. All values are in bytes.
   *
   * @param all all updates
   * @param most the most updates of a partition
   * @param median the median of the partitions
   * @param again the updates that would be sent again
   */
  boolean pays(long all, long most, long median, long again) {
    if (bytes != AUTO) {
      return most - median >= bytes;
    }
    long saved = most - Math.max(median, all / cores);
    return saved > JOBS_BYTES + SENDING * again / cores;
  }
}
