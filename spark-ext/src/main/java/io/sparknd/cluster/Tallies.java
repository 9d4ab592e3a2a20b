/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster;

import java.io.Serializable;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.util.AccumulatorV2;

/**
 * What the tasks of one scatter count. Each task's count is kept under its partition, so that one
 * which ran twice, after a failure or as a speculative copy, still counts once.
 */
final class Tallies extends AccumulatorV2<Tallies.Tally, ScatterMetrics> {
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
   * What a partition of the tensor took in.
   *
   * @param updates of slices; of those that are cut into pieces, the part that it got
   * @param nanos from the first byte that was read to the last slice that was written
   * @param kernel provider's name
   */
  record Folded(int partition, long updates, long blocksCopied, long nanos, String kernel)
      implements Tally {}

  private static final double NANOS = 1e9;

  // concurrent: an executor's heartbeat writes them while the task adds to them
  private final Map<Integer, Sent> sent = new ConcurrentSkipListMap<>();
  private final Map<Integer, Folded> folded = new ConcurrentSkipListMap<>();

  private Tallies() {}

  /** Tallies that the tasks of {@code spark} can add to. */
  static Tallies registered(SparkSession spark) {
    Tallies tallies = new Tallies();
    spark.sparkContext().register(tallies, "sparknd scatter");
    return tallies;
  }

  @Override
  public boolean isZero() {
    return sent.isEmpty() && folded.isEmpty();
  }

  @Override
  public AccumulatorV2<Tally, ScatterMetrics> copy() {
    Tallies copy = new Tallies();
    copy.merge(this);
    return copy;
  }

  @Override
  public void reset() {
    sent.clear();
    folded.clear();
  }

  @Override
  public void add(Tally tally) {
    if (tally instanceof Sent task) {
      sent.putIfAbsent(task.source(), task);
    } else if (tally instanceof Folded task) {
      folded.putIfAbsent(task.partition(), task);
    }
  }

  @Override
  public void merge(AccumulatorV2<Tally, ScatterMetrics> other) {
    Tallies that = (Tallies) other;
    that.sent.values().forEach(this::add);
    that.folded.values().forEach(this::add);
  }

  @Override
  public ScatterMetrics value() {
    long[] sizes = folded.values().stream().mapToLong(Folded::updates).sorted().toArray();
    long[] nanos = folded.values().stream().mapToLong(Folded::nanos).sorted().toArray();
    return new ScatterMetrics(
        sent.values().stream().mapToLong(Sent::updates).sum(),
        sent.values().stream().mapToLong(Sent::dropped).sum(),
        sent.values().stream().mapToLong(Sent::combined).sum(),
        sent.values().stream().mapToLong(Sent::bytes).sum(),
        folded.values().stream().mapToLong(Folded::blocksCopied).sum(),
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
