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
 * What a training took, of the driver above all.
 *
 * @param model what came out
 * @param seconds of the clock
 * @param received bytes that tasks sent to the driver as their results
 * @param heap bytes of the heap that are in use afterwards, more than before, without garbage. In a
 *     local session this is the heap of the executor, too: what is cached counts.
 * @param <M> a model
 */
public record DriverLoad<M>(M model, double seconds, long received, long heap) {

  /** Runs a training. */
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

  /** Adds up the results of tasks. */
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
        // events come some time after what they tell of
        spark.sparkContext().listenerBus().waitUntilEmpty(TimeUnit.SECONDS.toMillis(10));
      } catch (TimeoutException e) {
        throw new IllegalStateException("Spark has not told of all tasks within 10 s", e);
      }
      return bytes.sum();
    }
  }
}
