/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.loop;

import java.util.concurrent.TimeUnit;
import org.apache.spark.SparkContext;
import scala.jdk.javaapi.CollectionConverters;

/**
 * The limits of a {@link LocalLoop}.
 *
 * @param partitionBytes the most bytes of all partitions; the version before has as many
 * @param rowBytes the most bytes of rows that shards request at once; gradients have as many, and
 *     the buffers of both are at most twice as long
 * @param nanos the time after which a job of the loop takes no more than one step, so that it does
 *     not hold cores for long
 */
public record LocalLimits(long partitionBytes, long rowBytes, long nanos) {
  private static final int PARTITIONS_SHARE = 4;
  private static final int ROWS_SHARE = 16;
  private static final long NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  /** Returns the limits for the heap of this JVM, less what Spark has stored in it. */
  static LocalLimits of(SparkContext context) {
    long stored =
        CollectionConverters.asJava(context.getExecutorMemoryStatus()).values().stream()
            .mapToLong(status -> (Long) status._1() - (Long) status._2())
            .sum();
    long free = Math.max(0, Runtime.getRuntime().maxMemory() - stored);
    return new LocalLimits(free / PARTITIONS_SHARE, free / ROWS_SHARE, NANOS);
  }
}
