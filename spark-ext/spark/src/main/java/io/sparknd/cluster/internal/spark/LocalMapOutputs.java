/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.spark;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import org.apache.spark.ShuffleDependency;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.scheduler.MapStatus;
import org.apache.spark.shuffle.ShuffleWriteMetricsReporter;
import org.apache.spark.shuffle.ShuffleWriteProcessor;
import org.jspecify.annotations.Nullable;
import scala.Product2;
import scala.collection.Iterator;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Map outputs that stay in the memory of this JVM, for shuffles in local mode: records pass from
 * task to task by reference, without serialization, compression and files. Spark knows of each
 * output as of any other. One that was released is to Spark as a lost file: reading it makes Spark
 * run the map task again, and, in local mode for good, forget all blocks of this JVM. So outputs
 * are released by who knows that they are not read again. Tasks that end afterwards write files,
 * which Spark deletes with the shuffle.
 *
 * <p>A record may be read by several attempts of a task, which must not modify it.
 */
public final class LocalMapOutputs {
  /** The outputs of each shuffle that is not released, by map task. */
  private static final Map<Long, Map<Long, MapOutput>> OUTPUTS = new ConcurrentHashMap<>();

  /** Numbers shuffles of this JVM; a later application has Spark's numbers again. */
  private static final AtomicLong SHUFFLES = new AtomicLong();

  private LocalMapOutputs() {}

  /** Returns what keeps the outputs of a new shuffle. Its values are of known size. */
  public static ShuffleWriteProcessor writer() {
    Writer writer = new Writer(SHUFFLES.incrementAndGet());
    OUTPUTS.put(writer.number, new ConcurrentHashMap<>());
    return writer;
  }

  private static long number(ShuffleDependency<?, ?, ?> shuffle) {
    return ((Writer) shuffle.shuffleWriterProcessor()).number;
  }

  /**
   * Returns the records for a partition, in the order of map tasks; null if an output is not in
   * memory. For tasks.
   *
   * @param shuffle has a {@link #writer}
   */
  public static @Nullable List<Product2<?, ?>> records(
      ShuffleDependency<?, ?, ?> shuffle, int partition) {
    Map<Long, MapOutput> ofShuffle = OUTPUTS.getOrDefault(number(shuffle), Map.of());
    List<Product2<?, ?>> records = new ArrayList<>();
    for (RegisteredOutput each : RegisteredOutput.all(shuffle.shuffleId(), partition)) {
      MapOutput output = ofShuffle.get(each.map());
      if (output == null) {
        return null;
      }
      records.addAll(output.of(partition));
    }
    return records;
  }

  /**
   * Releases the outputs of a shuffle, also those of tasks that are still running. For the driver.
   *
   * @param shuffled depends on one shuffle, which has a {@link #writer}
   */
  public static void release(JavaRDD<?> shuffled) {
    OUTPUTS.remove(number(MapStage.shuffle(shuffled)));
  }

  /** Returns the number of shuffles that are not released. */
  public static int shuffles() {
    return OUTPUTS.size();
  }

  private static final class Writer extends ShuffleWriteProcessor {
    private static final long serialVersionUID = 1;

    private final BatchMapOutput files = new BatchMapOutput();
    private final long number;

    Writer(long number) {
      this.number = number;
    }

    @Override
    public MapStatus write(
        Iterator<Object> records,
        ShuffleDependency<?, ?, ?> shuffle,
        long map,
        int index,
        TaskContext context) {
      MapOutput output = new MapOutput(shuffle, map, index, ShuffleValue::estimatedSize);
      while (records.hasNext()) {
        output.add((Product2<?, ?>) records.next());
      }
      if (!isKept(map, output)) {
        Iterator<Object> all = CollectionConverters.asScala(output.drained());
        return files.write(all, shuffle, map, index, context);
      }
      ShuffleWriteMetricsReporter metrics = createMetricsReporter(context);
      metrics.incRecordsWritten(output.count());
      metrics.incBytesWritten(LongStream.of(output.lengths()).sum());
      return BatchMapOutput.status(output.lengths(), map);
    }

    /** Keeps an output, unless its shuffle was released. */
    private boolean isKept(long map, MapOutput output) {
      return OUTPUTS.computeIfPresent(
              number,
              (shuffle, outputs) -> {
                outputs.put(map, output);
                return outputs;
              })
          != null;
    }
  }
}
