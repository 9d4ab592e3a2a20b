/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.keyed;

import java.io.Serializable;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.util.AccumulatorV2;

/**
 * Counts the rows that are dropped because of their keys, by partition of the input: Spark adds the
 * count of a task to the driver's whenever it succeeds, and runs it again if the executor with its
 * shuffle files is lost. The total is kept beside them, since Spark asks for it when a task ends.
 */
final class DroppedRows extends AccumulatorV2<DroppedRows.Source, Long> {
  private static final long serialVersionUID = 1;

  /** Where a row is from: a stage of the commit, and a partition of its rows. */
  record Source(int stage, int partition) implements Serializable {}

  // concurrent: an executor's heartbeat serializes it while the task adds to it
  private final Map<Source, Long> rows = new ConcurrentHashMap<>();

  private final AtomicLong total = new AtomicLong();

  private DroppedRows() {}

  /** Creates an accumulator to which the tasks of {@code spark} can report. */
  static DroppedRows registered(SparkSession spark) {
    DroppedRows dropped = new DroppedRows();
    spark.sparkContext().register(dropped, "sparknd dropped rows");
    return dropped;
  }

  @Override
  public boolean isZero() {
    return rows.isEmpty();
  }

  @Override
  public AccumulatorV2<Source, Long> copy() {
    DroppedRows copy = new DroppedRows();
    copy.merge(this);
    return copy;
  }

  @Override
  public void reset() {
    rows.clear();
    total.set(0);
  }

  /** Counts one row, in the task that drops it. */
  @Override
  public void add(Source source) {
    rows.merge(source, 1L, Long::sum);
    total.incrementAndGet();
  }

  /** Adds the counts of a task; those of partitions that were counted stay. */
  @Override
  public void merge(AccumulatorV2<Source, Long> other) {
    ((DroppedRows) other)
        .rows.forEach(
            (source, count) -> {
              if (rows.putIfAbsent(source, count) == null) {
                total.addAndGet(count);
              }
            });
  }

  @Override
  public Long value() {
    return total.get();
  }
}
