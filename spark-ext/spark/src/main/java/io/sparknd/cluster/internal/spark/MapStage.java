/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.spark;

import java.util.function.Supplier;
import java.util.stream.LongStream;
import org.apache.spark.Dependency;
import org.apache.spark.FutureAction;
import org.apache.spark.MapOutputStatistics;
import org.apache.spark.MapOutputTrackerMaster;
import org.apache.spark.ShuffleDependency;
import org.apache.spark.SparkContext;
import org.apache.spark.SparkEnv;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.rdd.RDD;
import scala.concurrent.Await;
import scala.concurrent.duration.Duration;
import scala.jdk.javaapi.CollectionConverters;

/** Runs the map side of a shuffle before the result is read. */
public final class MapStage {
  private MapStage() {}

  /**
   * Writes the shuffle files of {@code shuffled}, unless a job wrote them. A later job reuses them
   * and rewrites only those that were lost.
   *
   * @param shuffled depends on one shuffle
   * @return the bytes of the files, approximately
   */
  public static long run(JavaRDD<?> shuffled) {
    ShuffleDependency<?, ?, ?> shuffle = shuffle(shuffled);
    if (shuffle.rdd().getNumPartitions() == 0) {
      return 0; // a shuffle that Spark may not know of
    }
    MapOutputStatistics written =
        isWritten(shuffle)
            ? tracker().getStatistics(shuffle)
            : await(shuffled.context().submitMapStage(shuffle));
    return LongStream.of(written.bytesByPartitionId()).sum();
  }

  /** Returns the one shuffle that an RDD depends on. */
  static ShuffleDependency<?, ?, ?> shuffle(JavaRDD<?> shuffled) {
    return (ShuffleDependency<?, ?, ?>) shuffled.rdd().dependencies().head();
  }

  /**
   * Writes the shuffle files of {@code shuffled}, unless a job wrote them, while {@code work} runs
   * in this thread. If {@code work} fails, the files are not waited for.
   *
   * @param shuffled depends on one shuffle
   * @return the result of {@code work}
   */
  public static <T> T runDuring(JavaRDD<?> shuffled, Supplier<T> work) {
    ShuffleDependency<?, ?, ?> shuffle = shuffle(shuffled);
    if (isWritten(shuffle)) {
      return work.get();
    }
    FutureAction<?> job = shuffled.context().submitMapStage(shuffle);
    boolean works = false;
    try {
      T result = work.get();
      works = true;
      await(job);
      return result;
    } finally {
      if (!works) {
        job.cancel();
      }
    }
  }

  /**
   * Writes the shuffle files of the last shuffles before {@code rows}, unless a job wrote them.
   *
   * @param rows the rows that a Dataset computes from shuffled rows
   */
  public static void runBefore(JavaRDD<?> rows) {
    runBefore(rows.context(), rows.rdd());
  }

  private static void runBefore(SparkContext context, RDD<?> rows) {
    for (Dependency<?> parent : CollectionConverters.asJava(rows.dependencies())) {
      if (!(parent instanceof ShuffleDependency<?, ?, ?> shuffle)) {
        runBefore(context, parent.rdd());
      } else if (!isWritten(shuffle)) {
        await(context.submitMapStage(shuffle));
      }
    }
  }

  /** Spark would end a job without tasks twice, and log that as an error. */
  private static boolean isWritten(ShuffleDependency<?, ?, ?> shuffle) {
    return tracker().getNumAvailableOutputs(shuffle.shuffleId())
        == shuffle.rdd().getNumPartitions();
  }

  private static MapOutputTrackerMaster tracker() {
    return (MapOutputTrackerMaster) SparkEnv.get().mapOutputTracker();
  }

  private static <T> T await(FutureAction<T> job) {
    try {
      return Await.result(job, Duration.Inf());
    } catch (InterruptedException e) {
      job.cancel();
      throw SneakyThrow.thrown(e); // as Spark's jobs do: a streaming query that stops expects it
    } catch (java.util.concurrent.TimeoutException e) {
      throw new AssertionError(e); // impossible: the wait is infinite
    }
  }
}
