/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.fold;

import io.sparknd.cluster.ScatterMetrics;
import java.io.Serializable;
import java.util.Arrays;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.util.AccumulatorV2;

/**
 * What the tasks of one scatter count. Each task's count is kept under its partition, so that one
 * which ran twice, after a failure or as a speculative copy, still counts once.
 */
public final class ScatterMetricsAccumulator
    extends AccumulatorV2<ScatterMetricsAccumulator.Tally, ScatterMetrics> {
  private static final long serialVersionUID = 1;

  /** The count of one task. */
  sealed interface Tally extends Serializable {}

  /**
   * What a source partition sent.
   *
   * @param updates that it had, dropped ones among them
   * @param combined updates that went into others
   * @param bytes of all batches, before Spark compresses them
   */
  record Sent(int source, long updates, long dropped, long combined, long bytes) implements Tally {}

  /**
   * What a partition of the tensor took in, or a task that folds hot slices.
   *
   * @param partition of the tensor; such tasks come after those
   * @param updates of slices; of those that are cut into pieces, the part that it got
   * @param nanos from the first byte that was read to the last slice that was written
   * @param kernel provider's name
   */
  record Folded(int partition, long updates, long blocksCopied, long nanos, String kernel)
      implements Tally {}

  /**
   * What a source partition sent where. Arrays of one entry for each repeated piece belong
   * together.
   *
   * @param updates of pieces, for each owner
   * @param owners of the pieces that were seen to repeat
   * @param pieces their numbers there
   * @param weights about how many updates they got
   */
  record Seen(int source, long[] updates, int[] owners, long[] pieces, long[] weights)
      implements Tally {}

  /**
   * What a source partition sent again, because of hot slices.
   *
   * @param bytes of all batches, before Spark compresses them
   */
  record Resent(int source, long bytes) implements Tally {}

  private static final double NANOS = 1e9;

  // concurrent: an executor's heartbeat writes them while the task adds to them
  private final Map<Integer, Sent> sent = new ConcurrentSkipListMap<>();
  private final Map<Integer, Folded> folded = new ConcurrentSkipListMap<>();
  private final Map<Integer, Seen> seen = new ConcurrentSkipListMap<>();
  private final Map<Integer, Resent> resent = new ConcurrentSkipListMap<>();
  private long hotSlices;
  private long hottestPartition;

  private ScatterMetricsAccumulator() {}

  /** Tallies that the tasks of {@code spark} can add to. */
  public static ScatterMetricsAccumulator registered(SparkSession spark) {
    ScatterMetricsAccumulator tallies = new ScatterMetricsAccumulator();
    spark.sparkContext().register(tallies, "sparknd scatter");
    return tallies;
  }

  @Override
  public boolean isZero() {
    return sent.isEmpty() && folded.isEmpty() && seen.isEmpty() && resent.isEmpty();
  }

  @Override
  public AccumulatorV2<Tally, ScatterMetrics> copy() {
    ScatterMetricsAccumulator copy = new ScatterMetricsAccumulator();
    copy.merge(this);
    return copy;
  }

  @Override
  public void reset() {
    sent.clear();
    folded.clear();
    seen.clear();
    resent.clear();
  }

  @Override
  public void add(Tally tally) {
    if (tally instanceof Sent task) {
      sent.putIfAbsent(task.source(), task);
    } else if (tally instanceof Folded task) {
      folded.putIfAbsent(task.partition(), task);
    } else if (tally instanceof Seen task) {
      seen.putIfAbsent(task.source(), task);
    } else if (tally instanceof Resent task) {
      resent.putIfAbsent(task.source(), task);
    }
  }

  @Override
  public void merge(AccumulatorV2<Tally, ScatterMetrics> other) {
    ScatterMetricsAccumulator that = (ScatterMetricsAccumulator) other;
    that.sent.values().forEach(this::add);
    that.folded.values().forEach(this::add);
    that.seen.values().forEach(this::add);
    that.resent.values().forEach(this::add);
  }

  /** What all sources sent where. */
  Collection<Seen> seen() {
    return seen.values();
  }

  /**
   * Says, on the driver, that hot slices are folded apart.
   *
   * @param slices how many
   * @param hottest most updates of slices that a partition had before
   */
  void relieved(long slices, long hottest) {
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
