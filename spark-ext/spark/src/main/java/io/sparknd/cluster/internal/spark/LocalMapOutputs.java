/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.spark;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.spark.ShuffleDependency;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import org.apache.spark.TaskKilledException;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.scheduler.MapStatus;
import org.apache.spark.shuffle.ShuffleWriteMetricsReporter;
import org.apache.spark.shuffle.ShuffleWriteProcessor;
import org.apache.spark.storage.ShuffleBlockId;
import org.jspecify.annotations.Nullable;
import scala.Product2;
import scala.collection.Iterator;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Map outputs that stay in the memory of this JVM, for shuffles in local mode: records pass from
 * task to task by reference, without serialization, compression and files. Spark knows of each
 * output as of any other. One that was released is to Spark as a lost file: reading it makes Spark
 * run the map task again, and, in local mode for good, forget all blocks of this JVM. So outputs
 * are released by who knows that they are not read again.
 *
 * <p>A record may be read by several attempts of a task, which must not modify it.
 */
public final class LocalMapOutputs {
  /**
   * The outputs of each shuffle by map task, for each application; a later one in this JVM has the
   * same numbers.
   */
  private static final Map<SparkEnv, Map<Integer, Map<Long, Output>>> OUTPUTS = new WeakHashMap<>();

  private LocalMapOutputs() {}

  /** The records of a map task by partition. */
  private record Output(SortedMap<Integer, List<Product2<?, ?>>> byPartition) {}

  private static Map<Integer, Map<Long, Output>> outputs() {
    synchronized (OUTPUTS) {
      return OUTPUTS.computeIfAbsent(SparkEnv.get(), env -> new ConcurrentHashMap<>());
    }
  }

  /**
   * Returns the records for a partition, in the order of map tasks; null if an output is not in
   * memory. For tasks.
   */
  public static @Nullable List<Product2<?, ?>> records(int shuffle, int partition) {
    Map<Long, Output> ofShuffle = outputs().getOrDefault(shuffle, Map.of());
    List<Product2<?, ?>> records = new ArrayList<>();
    for (long map : maps(shuffle, partition)) {
      Output output = ofShuffle.get(map);
      if (output == null) {
        return null;
      }
      records.addAll(output.byPartition().getOrDefault(partition, List.of()));
    }
    return records;
  }

  /** Returns the attempts of map tasks whose outputs for a partition Spark knows of. */
  private static List<Long> maps(int shuffle, int partition) {
    List<Long> maps = new ArrayList<>();
    CollectionConverters.asJava(
            SparkEnv.get().mapOutputTracker().getMapSizesByExecutorId(shuffle, partition))
        .forEachRemaining(
            executor ->
                CollectionConverters.asJava(executor._2())
                    .forEach(block -> maps.add(((ShuffleBlockId) block._1()).mapId())));
    return maps;
  }

  /**
   * Releases the outputs of a shuffle, if they are in memory. For the driver.
   *
   * @param shuffled depends on one shuffle
   */
  public static void release(JavaRDD<?> shuffled) {
    outputs().remove(MapStage.shuffle(shuffled).shuffleId());
  }

  /** Returns the number of shuffles with outputs in memory. */
  public static int shuffles() {
    return outputs().size();
  }

  /** Keeps what a map task of a shuffle sends. The values are of known size. */
  public static final class Writer extends ShuffleWriteProcessor {
    private static final long serialVersionUID = 1;

    @Override
    public MapStatus write(
        Iterator<Object> records,
        ShuffleDependency<?, ?, ?> shuffle,
        long map,
        int index,
        TaskContext context) {
      ShuffleWriteMetricsReporter metrics = createMetricsReporter(context);
      long[] bytes = new long[shuffle.partitioner().numPartitions()];
      SortedMap<Integer, List<Product2<?, ?>>> byPartition = new TreeMap<>();
      for (Object each : (Iterable<Object>) () -> CollectionConverters.asJava(records)) {
        Product2<?, ?> record = (Product2<?, ?>) each;
        int partition = shuffle.partitioner().getPartition(record._1());
        byPartition.computeIfAbsent(partition, number -> new ArrayList<>()).add(record);
        long size = ((KnownSize) record._2()).estimatedSize();
        bytes[partition] += size;
        metrics.incRecordsWritten(1);
        metrics.incBytesWritten(size);
      }
      if (context.isInterrupted()) { // its job may have failed, and released what it had
        throw new TaskKilledException("killed before its output was complete");
      }
      outputs()
          .computeIfAbsent(shuffle.shuffleId(), id -> new ConcurrentHashMap<>())
          .put(map, new Output(byPartition));
      return BatchMapOutput.status(bytes, map);
    }
  }
}
