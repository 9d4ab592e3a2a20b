/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.spark;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.ToLongFunction;
import org.apache.spark.Partitioner;
import org.apache.spark.ShuffleDependency;
import org.apache.spark.SparkEnv;
import scala.Product2;

/** The records of a map task in memory, by partition. */
final class MapOutput {
  /** Bytes of a record beside its value: its key, and its places in lists, approximately. */
  private static final int RECORD_BYTES = 200;

  private final SparkEnv env = SparkEnv.get();
  private final int shuffle;
  private final long map;
  private final int index;
  private final Partitioner partitioner;
  private final SortedMap<Integer, List<Product2<?, ?>>> byPartition = new TreeMap<>();
  private final long[] lengths;
  private final ToLongFunction<ShuffleValue> length;
  private final BitSet unread = new BitSet();
  private long bytes;
  private int count;

  /**
   * @param map the id of the attempt
   * @param index the number of the map task
   * @param length the bytes of a record that count for its partition
   */
  MapOutput(
      ShuffleDependency<?, ?, ?> dependency,
      long map,
      int index,
      ToLongFunction<ShuffleValue> length) {
    this.length = length;
    this.shuffle = dependency.shuffleId();
    this.map = map;
    this.index = index;
    this.partitioner = dependency.partitioner();
    this.lengths = new long[partitioner.numPartitions()];
    this.bytes = (long) Long.BYTES * lengths.length;
  }

  /**
   * Adds a record.
   *
   * @param record its value is a {@link ShuffleValue}
   */
  void add(Product2<?, ?> record) {
    int partition = partitioner.getPartition(record._1());
    byPartition.computeIfAbsent(partition, to -> new ArrayList<>()).add(record);
    ShuffleValue value = (ShuffleValue) record._2();
    lengths[partition] += length.applyAsLong(value);
    unread.set(partition);
    bytes += value.estimatedSize() + RECORD_BYTES;
    count++;
  }

  SparkEnv env() {
    return env;
  }

  int shuffle() {
    return shuffle;
  }

  long map() {
    return map;
  }

  int index() {
    return index;
  }

  /** Returns whether the records for all partitions were read. */
  boolean isRead() {
    return unread.isEmpty();
  }

  void markRead(int partition) {
    unread.clear(partition);
  }

  int count() {
    return count;
  }

  /** Returns the approximate bytes of the records in the heap. */
  long bytes() {
    return bytes;
  }

  /** Returns the bytes for each partition. */
  long[] lengths() {
    return lengths.clone();
  }

  /** Returns the bytes for a partition. */
  long bytesOf(int partition) {
    return lengths[partition];
  }

  /** Returns the records for a partition, in their order. */
  List<Product2<?, ?>> of(int partition) {
    return byPartition.getOrDefault(partition, List.of());
  }

  SortedMap<Integer, List<Product2<?, ?>>> byPartition() {
    return byPartition;
  }

  /** Returns all records, by partition. Each is dropped from the output when it is taken. */
  Iterator<Object> drained() {
    Deque<Object> all = new ArrayDeque<>();
    byPartition.values().forEach(all::addAll);
    byPartition.clear();
    return new Iterator<>() {
      @Override
      public boolean hasNext() {
        return !all.isEmpty();
      }

      @Override
      public Object next() {
        return all.remove();
      }
    };
  }
}
