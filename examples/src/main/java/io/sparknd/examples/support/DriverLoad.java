/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.examples.support;

import java.lang.management.ManagementFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.sql.SparkSession;

/**
 * The cost of a training, mostly to the driver.
 *
 * @param model the result
 * @param seconds the wall-clock time
 * @param received the bytes of task results sent to the driver
 * @param heap the growth of the used heap in bytes, after garbage collection. In a local session it
 *     includes the executor's heap and cached data.
 * @param <M> the type of the model
 */
public record DriverLoad<M>(M model, double seconds, long received, long heap) {

  /** Runs and measures a training. */
  public static <M> DriverLoad<M> of(SparkSession spark, Supplier<M> training) {
    Results results = new Results();
    long heap = heapInUse();
    spark.sparkContext().addSparkListener(results);
    try {
      long start = System.nanoTime();
      M model = training.get();
      double seconds = (System.nanoTime() - start) * 1e-9;
      return new DriverLoad<>(model, seconds, results.bytes(spark), heapInUse() - heap);
    } finally {
      spark.sparkContext().removeSparkListener(results);
    }
  }

  private static long heapInUse() {
    System.gc();
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }

  /** Sums the sizes of task results. */
  private static final class Results extends SparkListener {
    private final LongAdder bytes = new LongAdder();

    @Override
    public void onTaskEnd(SparkListenerTaskEnd end) {
      if (end.taskMetrics() != null) {
        bytes.add(end.taskMetrics().resultSize());
      }
    }

    long bytes(SparkSession spark) {
      try {
        // listener events are asynchronous
        spark.sparkContext().listenerBus().waitUntilEmpty(TimeUnit.SECONDS.toMillis(10));
      } catch (TimeoutException e) {
        throw new IllegalStateException("listener events are still queued after 10 s", e);
      }
      return bytes.sum();
    }
  }
}
