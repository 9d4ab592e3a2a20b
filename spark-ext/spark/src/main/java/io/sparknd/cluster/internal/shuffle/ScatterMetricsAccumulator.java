/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.shuffle;

import io.sparknd.metrics.ScatterMetrics;
import java.io.Serializable;
import java.util.Arrays;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.util.AccumulatorV2;

/**
 * Accumulates the metrics of the tasks of one scatter. Each task's record is stored under its
 * partition, so that a task that ran twice, after a failure or as a speculative copy, counts once.
 */
public final class ScatterMetricsAccumulator
    extends AccumulatorV2<ScatterMetricsAccumulator.TaskReport, ScatterMetrics> {
  private static final long serialVersionUID = 1;

  /** The metrics of one task. */
  public sealed interface TaskReport extends Serializable {}

  /**
   * The metrics of one source partition on the map side.
   *
   * @param updates updates in the input, including dropped ones
   * @param combined updates that were folded into others
   * @param bytes bytes of all batches, before Spark compresses them
   */
  public record Sent(int source, long updates, long dropped, long combined, long bytes)
      implements TaskReport {}

  /**
   * The metrics of a task that folded a partition of the tensor, or hot slices.
   *
   * @param partition the tensor partition; hot-slice tasks are numbered after tensor partitions
   * @param updates updates of slices; for cuts of slices, their share
   * @param nanos the time from the first byte read to the last slice written
   * @param kernel the name of the kernel provider
   */
  public record Folded(int partition, long updates, long blocksCopied, long nanos, String kernel)
      implements TaskReport {}

  /**
   * The sampled destinations of the updates of one source partition. The arrays {@code owners},
   * {@code pieces} and {@code weights} have one entry for each repeated piece.
   *
   * @param updates updates of pieces, for each owner
   * @param owners the owners of the repeated pieces
   * @param pieces the numbers of the pieces in their partitions
   * @param weights the approximate numbers of their updates
   */
  public record DestinationSample(
      int source, long[] updates, int[] owners, long[] pieces, long[] weights)
      implements TaskReport {}

  /**
   * The updates that a source partition sent again because of hot slices.
   *
   * @param bytes bytes of all batches, before Spark compresses them
   */
  public record Resent(int source, long bytes) implements TaskReport {}

  private static final double NANOS = 1e9;

  // concurrent: an executor's heartbeat serializes them while the task adds to them
  private final Map<Integer, Sent> sent = new ConcurrentSkipListMap<>();
  private final Map<Integer, Folded> folded = new ConcurrentSkipListMap<>();
  private final Map<Integer, DestinationSample> samples = new ConcurrentSkipListMap<>();
  private final Map<Integer, Resent> resent = new ConcurrentSkipListMap<>();
  private long hotSlices;
  private long hottestPartition;

  private ScatterMetricsAccumulator() {}

  /**
   * Creates and registers an accumulator for the tasks of {@code spark}. It has no name: for each
   * task that ends, Spark computes the value of a named one, here from the reports of all tasks.
   */
  public static ScatterMetricsAccumulator registered(SparkSession spark) {
    ScatterMetricsAccumulator accumulator = new ScatterMetricsAccumulator();
    spark.sparkContext().register(accumulator);
    return accumulator;
  }

  @Override
  public boolean isZero() {
    return sent.isEmpty() && folded.isEmpty() && samples.isEmpty() && resent.isEmpty();
  }

  @Override
  public AccumulatorV2<TaskReport, ScatterMetrics> copy() {
    ScatterMetricsAccumulator copy = new ScatterMetricsAccumulator();
    copy.merge(this);
    return copy;
  }

  @Override
  public void reset() {
    sent.clear();
    folded.clear();
    samples.clear();
    resent.clear();
  }

  @Override
  public void add(TaskReport report) {
    if (report instanceof Sent task) {
      sent.putIfAbsent(task.source(), task);
    } else if (report instanceof Folded task) {
      folded.putIfAbsent(task.partition(), task);
    } else if (report instanceof DestinationSample task) {
      samples.putIfAbsent(task.source(), task);
    } else if (report instanceof Resent task) {
      resent.putIfAbsent(task.source(), task);
    }
  }

  @Override
  public void merge(AccumulatorV2<TaskReport, ScatterMetrics> other) {
    ScatterMetricsAccumulator that = (ScatterMetricsAccumulator) other;
    that.sent.values().forEach(this::add);
    that.folded.values().forEach(this::add);
    that.samples.values().forEach(this::add);
    that.resent.values().forEach(this::add);
  }

  /** Returns the samples of all source partitions. */
  public Collection<DestinationSample> samples() {
    return samples.values();
  }

  /**
   * Records on the driver that separate tasks fold the hot slices.
   *
   * @param slices the number of hot pieces
   * @param hottest the most updates of slices that a partition had before the split
   */
  public void recordSplit(long slices, long hottest) {
    hotSlices = slices;
    hottestPartition = hottest;
  }

  @Override
  public ScatterMetrics value() {
    long[] sizes = folded.values().stream().mapToLong(Folded::updates).sorted().toArray();
    long[] nanos = folded.values().stream().mapToLong(Folded::nanos).sorted().toArray();
    return new ScatterMetrics(
        sent.values().stream().mapToLong(Sent::updates).sum(),
        sent.values().stream().mapToLong(Sent::dropped).sum(),
        sent.values().stream().mapToLong(Sent::combined).sum(),
        sent.values().stream().mapToLong(Sent::bytes).sum()
            + resent.values().stream().mapToLong(Resent::bytes).sum(),
        folded.values().stream().mapToLong(Folded::blocksCopied).sum(),
        hotSlices,
        Math.max(hottestPartition, largest(sizes)),
        largest(sizes),
        median(sizes),
        largest(nanos) / NANOS,
        median(nanos) / NANOS,
        folded.values().stream().map(Folded::kernel).findFirst().orElse("none"));
  }

  private static long largest(long[] sorted) {
    return Arrays.stream(sorted).max().orElse(0);
  }

  private static long median(long[] sorted) {
    return sorted.length == 0 ? 0 : sorted[sorted.length / 2];
  }
}
