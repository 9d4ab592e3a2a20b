/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.fold;

import io.sparknd.cluster.spark.SparkNdSetting;
import org.apache.spark.sql.SparkSession;

/**
 * When it is worth while to fold hot slices apart: {@code spark.sparknd.skewBytes}.
 *
 * @param bytes of updates beyond the median that a partition must have; 0 for always, whatever
 *     repeats; {@link #AUTO} for when it saves more time than it takes
 * @param cores that tasks share
 */
record SkewPolicy(long bytes, int cores) {
  static final long AUTO = -1;

  /** What could be folded in the time that more jobs take, however small. */
  private static final long JOBS_BYTES = 64L << 20;

  /** Sending updates again takes about as long as folding so many times as many. */
  private static final int SENDING = 10;

  /** What the session asks for. */
  static SkewPolicy of(SparkSession spark) {
    int cores = spark.sparkContext().defaultParallelism();
    return new SkewPolicy(SparkNdSetting.SKEW_BYTES.bytesIn(spark).orElse(AUTO), cores);
  }

  boolean isAlways() {
    return bytes == 0;
  }

  /**
   * Whether it could be, given how much there is at most. Even if all of it goes to one partition,
   * a few cores are busy for longer with sending it again.
   */
  boolean couldBe(int partitions, long most) {
    return bytes == AUTO
        ? partitions > 1 && cores > SENDING + 1 && most > JOBS_BYTES
        : isAlways() || partitions > 1 && most > bytes;
  }

  /**
   * Whether it is, all in bytes.
   *
   * @param all updates
   * @param most that a partition has
   * @param median of the partitions
   * @param again what would be sent again
   */
  boolean pays(long all, long most, long median, long again) {
    if (bytes != AUTO) {
      return most - median >= bytes;
    }
    long saved = most - Math.max(median, all / cores);
    return saved > JOBS_BYTES + SENDING * again / cores;
  }
}
