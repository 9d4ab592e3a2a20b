/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.spark;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.spark.Partitioner;
import org.apache.spark.ShuffleDependency;
import org.apache.spark.SparkEnv;
import scala.Product2;

/** The records of a map task in memory, by partition. */
final class MapOutput {
  private final SparkEnv env = SparkEnv.get();
  private final int shuffle;
  private final long map;
  private final int index;
  private final Partitioner partitioner;
  private final SortedMap<Integer, List<Product2<?, ?>>> byPartition = new TreeMap<>();
  private final long[] lengths;
  private long bytes;
  private int count;

  /**
   * @param map the id of the attempt
   * @param index the number of the map task
   */
  MapOutput(ShuffleDependency<?, ?, ?> dependency, long map, int index) {
    this.shuffle = dependency.shuffleId();
    this.map = map;
    this.index = index;
    this.partitioner = dependency.partitioner();
    this.lengths = new long[partitioner.numPartitions()];
  }

  /**
   * Adds a record.
   *
   * @param record its value has a known size
   */
  void add(Product2<?, ?> record) {
    int partition = partitioner.getPartition(record._1());
    byPartition.computeIfAbsent(partition, to -> new ArrayList<>()).add(record);
    long length = ((KnownSize) record._2()).estimatedSize();
    lengths[partition] += length;
    bytes += length;
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

  int partitions() {
    return lengths.length;
  }

  int count() {
    return count;
  }

  /** Returns the approximate bytes of the records. */
  long bytes() {
    return bytes;
  }

  /** Returns the approximate bytes for each partition. */
  long[] lengths() {
    return lengths.clone();
  }

  /** Returns the approximate bytes of the records for partitions from {@code from} on. */
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

  /** Returns all records, by partition. */
  List<Object> all() {
    return byPartition.values().stream().<Object>flatMap(List::stream).toList();
  }
}
