/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster;

import io.sparknd.tensor.Storage;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.sql.SparkSession;

/**
 * Updates that the driver holds, as source partitions in their order. Each source partition is a
 * broadcast of its own, so that a task fetches only its part and no task description grows with the
 * data.
 */
final class LocalUpdates {
  private static final long LARGEST_SOURCE = 8L << 20;
  private static final long SMALLEST_SOURCE = 256L << 10;

  private final JavaRDD<UpdateChunk> rdd;
  private final long[] firstSlots;

  private LocalUpdates(JavaRDD<UpdateChunk> rdd, long[] firstSlots) {
    this.rdd = rdd;
    this.firstSlots = firstSlots;
  }

  /**
   * @param offsets of slices, one a slot
   * @param payload one row a slot, or null for none
   * @param units length of a row in units of {@code storage}
   */
  static LocalUpdates of(
      SparkSession session, long[] offsets, Storage storage, Object payload, int units) {
    JavaSparkContext spark = JavaSparkContext.fromSparkContext(session.sparkContext());
    int step = sourceSlots(spark, offsets.length, storage, units);
    List<Broadcast<UpdateChunk>> sources = new ArrayList<>();
    for (int from = 0; from < offsets.length; from += step) {
      int to = Math.min(offsets.length, from + step);
      Object rows = payload == null ? null : storage.copyOfRange(payload, from * units, to * units);
      sources.add(
          spark.broadcast(new UpdateChunk(Arrays.copyOfRange(offsets, from, to), to - from, rows)));
    }
    int count = Math.max(1, sources.size());
    List<Integer> numbers = IntStream.range(0, sources.size()).boxed().toList();
    return new LocalUpdates(
        spark.parallelize(numbers, count).map(number -> sources.get(number).value()),
        LongStream.range(0, count).map(source -> source * step).toArray());
  }

  /** Slots in one source partition: enough partitions for every core, none of them large. */
  private static int sourceSlots(JavaSparkContext spark, int slots, Storage storage, int units) {
    int unit = BlockLayout.unitBytes(storage);
    long slotBytes = 8 + (long) units * unit;
    long perCore = slots * slotBytes / spark.defaultParallelism() + 1;
    long bytes = Math.max(SMALLEST_SOURCE, Math.min(LARGEST_SOURCE, perCore));
    return (int) Math.max(1, Math.min(1 << 30, bytes / slotBytes));
  }

  JavaRDD<UpdateChunk> rdd() {
    return rdd;
  }

  /** The number of the first slot of each source partition. */
  long[] firstSlots() {
    return firstSlots;
  }
}
