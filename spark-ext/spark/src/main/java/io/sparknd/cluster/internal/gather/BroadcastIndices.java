/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.gather;

import io.sparknd.cluster.internal.ClusterErrors;
import io.sparknd.cluster.internal.partition.BlockLayout.Pieces;
import io.sparknd.cluster.internal.rows.IndexColumns;
import io.sparknd.cluster.internal.rows.RowErrors;
import io.sparknd.cluster.internal.shuffle.BatchKey;
import io.sparknd.cluster.internal.shuffle.ShuffleBatch;
import io.sparknd.cluster.internal.spark.RddPartitionSubset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.util.LongAccumulator;
import scala.Tuple2;

/**
 * Runs a gather with {@link io.sparknd.cluster.options.GatherStrategy#BROADCAST_INDICES}: index
 * rows move through the driver to the partitions that own their slices.
 */
final class BroadcastIndices {
  /**
   * Up to this size, all index rows are sent with the tasks: a broadcast costs more than it saves.
   */
  private static final long WITH_TASKS_BYTES = 64 << 10;

  /** Ratio of index rows in memory to the planner's estimate, which is the size of files. */
  private static final long ROWS_TO_ESTIMATE = 8;

  /** What is broadcast, for errors. */
  private static final String ROWS = "index rows";

  private BroadcastIndices() {}

  /**
   * Joins the index rows, which the planner estimates to be few.
   *
   * @return empty if there are many
   */
  static Optional<JavaRDD<InternalRow>> joinedIfFew(RowGather gather) {
    long most = ROWS_TO_ESTIMATE * StrategyChoice.maxBroadcastBytes(gather.tensor());
    int tasks = gather.indexRows().getNumPartitions();
    return joinedWithin(most, Math.min(most, gather.maxResultBytes() / 2 / tasks), gather);
  }

  /**
   * Joins the index rows.
   *
   * @throws io.sparknd.tensor.SparkNdException also if the rows are too large for the driver
   */
  static JavaRDD<InternalRow> joined(RowGather gather) {
    long most = gather.maxResultBytes();
    return joinedWithin(most, most, gather)
        .orElseThrow(() -> ClusterErrors.tooLargeToBroadcast(ROWS, most));
  }

  /**
   * Joins the index rows if they are within the limits.
   *
   * @param most limit on the bytes of all rows
   * @param mostOfTask limit on the bytes of one source partition's rows
   * @return empty if a limit is exceeded
   */
  static Optional<JavaRDD<InternalRow>> joinedWithin(long most, long mostOfTask, RowGather gather) {
    return collectedWithin(most, mostOfTask, gather, 0, gather.indexRows().getNumPartitions())
        .map(rows -> joined(gather, rows, rows.stream().mapToLong(IndexRows::size).sum()));
  }

  /**
   * Returns the index rows of the source partitions {@code [from, to)} on the driver if they are
   * within the limits, after they were checked.
   *
   * @param most limit on the bytes of all rows
   * @param mostOfTask limit on the bytes of one source partition's rows
   * @return empty if a limit is exceeded
   */
  static Optional<List<IndexRows>> collectedWithin(
      long most, long mostOfTask, RowGather gather, int from, int to) {
    IndexColumns indices = gather.indices();
    Pieces pieces = gather.join().pieces();
    RowErrors rowErrors = gather.rowErrors();
    LongAccumulator bytes = gather.context().sc().longAccumulator("sparknd index row bytes");
    JavaRDD<IndexRows> capped =
        gather
            .indexRows()
            .mapPartitionsWithIndex(
                (source, rows) ->
                    new Capped(
                        new IndexRowBinner(source, rows, indices.in(source, rowErrors), pieces),
                        most,
                        mostOfTask,
                        bytes),
                false);
    List<IndexRows> collected = gather.collected(some(capped, from, to), ROWS);
    if (bytes.value() > most) {
      return Optional.empty(); // tasks stopped early: errors may be incomplete
    }
    rowErrors.throwFirst();
    return Optional.of(collected);
  }

  private static <T> JavaRDD<T> some(JavaRDD<T> rdd, int from, int to) {
    return from == 0 && to == rdd.getNumPartitions()
        ? rdd
        : RddPartitionSubset.only(
            rdd, IntStream.range(from, to).boxed().collect(Collectors.toSet()));
  }

  private static JavaRDD<InternalRow> joined(
      RowGather gather, List<IndexRows> collected, long bytes) {
    SortedMap<Integer, List<IndexRows>> byOwner = new TreeMap<>();
    for (IndexRows rows : collected) {
      byOwner.computeIfAbsent(rows.owner(), owner -> new ArrayList<>()).add(rows);
    }
    SliceJoin join = gather.join();
    List<IndexRows[]> parts =
        byOwner.values().stream().map(rows -> rows.toArray(IndexRows[]::new)).toList();
    if (parts.isEmpty()) {
      return gather.context().emptyRDD();
    }
    return RddPartitionSubset.only(gather.tensor().rdd(), byOwner.keySet())
        .zipPartitions(
            bytes <= WITH_TASKS_BYTES
                ? gather.context().parallelize(parts, parts.size())
                : broadcast(gather.context(), parts),
            (owner, rows) -> join.joined(owner, batches(rows.next())));
  }

  private static JavaRDD<IndexRows[]> broadcast(JavaSparkContext spark, List<IndexRows[]> parts) {
    List<Broadcast<IndexRows[]>> sent = parts.stream().map(spark::broadcast).toList();
    List<Integer> numbers = IntStream.range(0, sent.size()).boxed().toList();
    return spark.parallelize(numbers, sent.size()).map(number -> sent.get(number).value());
  }

  private static Iterator<ShuffleBatch> batches(IndexRows[] rows) {
    return Arrays.stream(rows).map(IndexRows::batch).iterator();
  }

  /** Iterates over a task's index rows and stops once they exceed the limit. */
  private static final class Capped implements Iterator<IndexRows> {
    private final Iterator<Tuple2<BatchKey, ShuffleBatch>> batches;
    private final long most;
    private final long mostOfTask;
    private final LongAccumulator bytes;
    private long taken;

    Capped(
        Iterator<Tuple2<BatchKey, ShuffleBatch>> batches,
        long most,
        long mostOfTask,
        LongAccumulator bytes) {
      this.batches = batches;
      this.most = most;
      this.mostOfTask = mostOfTask;
      this.bytes = bytes;
    }

    @Override
    public boolean hasNext() {
      return taken <= mostOfTask && batches.hasNext();
    }

    @Override
    public IndexRows next() {
      IndexRows rows = new IndexRows(batches.next());
      taken += rows.size();
      bytes.add(taken > mostOfTask ? most + 1 : rows.size());
      return rows;
    }
  }
}
