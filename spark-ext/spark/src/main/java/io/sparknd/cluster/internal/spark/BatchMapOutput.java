/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.spark;

import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.spark.Partitioner;
import org.apache.spark.ShuffleDependency;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import org.apache.spark.scheduler.MapStatus;
import org.apache.spark.scheduler.MapStatus$;
import org.apache.spark.shuffle.ShuffleWriteMetricsReporter;
import org.apache.spark.shuffle.ShuffleWriteProcessor;
import org.apache.spark.shuffle.api.ShuffleExecutorComponents;
import org.apache.spark.shuffle.api.ShuffleMapOutputWriter;
import org.apache.spark.shuffle.sort.SortShuffleManager;
import org.apache.spark.shuffle.sort.io.LocalDiskShuffleDataIO;
import org.jspecify.annotations.Nullable;
import scala.Product2;
import scala.collection.Iterator;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Writes the output of a map task. A small one goes to the shuffle file at once, a larger one in
 * segments, of which each is written when it is full. Spark's own writer creates a file for every
 * partition, then copies them into one, which takes most of the time of a shuffle of a few
 * kilobytes. Left to that writer are large outputs of many partitions, for which Spark sorts
 * records, those that are encrypted or compressed as the application says, and all output if
 * another shuffle manager, other storage for shuffles or push-based shuffle is configured.
 *
 * <p>The file is the same as Spark's own, but without checksums beside it, which tell a damaged
 * disk from a damaged connection.
 */
public final class BatchMapOutput extends ShuffleWriteProcessor {
  private static final long serialVersionUID = 1;

  /** Bytes of records that every task may keep in memory until it writes them. */
  private static final long MIN_BYTES = 16 << 20;

  /** Of so many parts of a task's user memory records may take one. */
  private static final int PARTS = 16;

  /** The most partitions for which Spark writes a file each, by its default. */
  private static final int FEW_PARTITIONS = 200;

  private static volatile @Nullable Components components;

  private final long most;

  /** Keeps a share of the memory that Spark leaves to user code. */
  public BatchMapOutput() {
    this(0);
  }

  /**
   * @param most bytes of records to keep in memory; 0 for a share of the user memory
   */
  BatchMapOutput(long most) {
    this.most = most;
  }

  @Override
  public MapStatus write(
      Iterator<Object> records,
      ShuffleDependency<?, ?, ?> shuffle,
      long map,
      int index,
      TaskContext context) {
    if (!isPlain(SparkEnv.get()) || shuffle.shuffleMergeAllowed()) {
      return super.write(records, shuffle, map, index, context);
    }
    MapOutputStreams streams = new MapOutputStreams(SparkEnv.get(), shuffle, map);
    Parts parts = new Parts(records, most > 0 ? most : TaskMemory.part(PARTS, MIN_BYTES));
    List<Product2<?, ?>> first = parts.next();
    if (records.hasNext() && !takesSegments(streams)) {
      Iterator<Object> all = CollectionConverters.asScala(List.<Object>copyOf(first).iterator());
      return super.write(all.concat(() -> records), shuffle, map, index, context);
    }
    try {
      return write(first, parts, streams, context);
    } catch (IOException e) {
      throw SneakyThrow.thrown(e);
    }
  }

  /** Returns whether shuffle files are Spark's own, on local disks. */
  static boolean isPlain(SparkEnv env) {
    String local = LocalDiskShuffleDataIO.class.getName();
    return env.shuffleManager().getClass() == SortShuffleManager.class
        && env.conf().get("spark.shuffle.sort.io.plugin.class", local).equals(local);
  }

  private static boolean takesSegments(MapOutputStreams streams) {
    return streams.canBeConcatenated()
        && streams.shuffle().partitioner().numPartitions() <= FEW_PARTITIONS;
  }

  /**
   * Records that are taken a part at a time.
   *
   * @param most bytes after which a part ends
   */
  private record Parts(Iterator<Object> records, long most) {
    boolean isEmpty() {
      return !records.hasNext();
    }

    List<Product2<?, ?>> next() {
      List<Product2<?, ?>> part = new ArrayList<>();
      long bytes = 0;
      while (bytes < most && records.hasNext()) {
        Product2<?, ?> next = (Product2<?, ?>) records.next();
        part.add(next);
        bytes += ((KnownSize) next._2()).estimatedSize();
      }
      return part;
    }
  }

  private MapStatus write(
      List<Product2<?, ?>> first, Parts others, MapOutputStreams streams, TaskContext task)
      throws IOException {
    ShuffleWriteMetricsReporter metrics = createMetricsReporter(task);
    announce(streams.shuffle(), streams.map(), task, metrics);
    long[] lengths =
        others.isEmpty()
            ? atOnce(first, streams, metrics)
            : segmented(first, others, streams, metrics);
    metrics.incBytesWritten(Arrays.stream(lengths).sum());
    return status(lengths, streams.map());
  }

  /** Requests a writer: the manager deletes the files of map tasks that did. */
  static void announce(
      ShuffleDependency<?, ?, ?> shuffle,
      long map,
      TaskContext task,
      ShuffleWriteMetricsReporter metrics) {
    SparkEnv.get()
        .shuffleManager()
        .getWriter(shuffle.shuffleHandle(), map, task, metrics)
        .stop(false);
  }

  /** Writes the file of an output that was in memory. */
  static void write(MapOutput output, ShuffleDependency<?, ?, ?> shuffle) {
    MapOutputStreams streams = new MapOutputStreams(SparkEnv.get(), shuffle, output.map());
    try {
      committed(streams, file -> write(output.byPartition(), streams, file));
    } catch (IOException e) {
      throw SneakyThrow.thrown(e);
    }
  }

  /**
   * Returns what Spark's driver is told of an output in this JVM.
   *
   * @param lengths bytes of each partition
   * @param map the id of the map task
   */
  static MapStatus status(long[] lengths, long map) {
    return MapStatus$.MODULE$.apply(
        SparkEnv.get().blockManager().shuffleServerId(),
        lengths,
        map,
        MapStatus$.MODULE$.apply$default$4());
  }

  private interface Writing<T> {
    T run() throws IOException;
  }

  private static <T> T timed(ShuffleWriteMetricsReporter metrics, Writing<T> writing)
      throws IOException {
    long start = System.nanoTime();
    T written = writing.run();
    metrics.incWriteTime(System.nanoTime() - start);
    return written;
  }

  /** Writes segments, then the file; returns the length of each partition. */
  private static long[] segmented(
      List<Product2<?, ?>> first,
      Parts others,
      MapOutputStreams streams,
      ShuffleWriteMetricsReporter metrics)
      throws IOException {
    try (MapOutputSegments segments = new MapOutputSegments(streams)) {
      for (List<Product2<?, ?>> part = first; !part.isEmpty(); part = others.next()) {
        add(part, segments, streams, metrics);
      }
      return timed(metrics, () -> committed(streams, segments::copyTo));
    }
  }

  private static void add(
      List<Product2<?, ?>> part,
      MapOutputSegments segments,
      MapOutputStreams streams,
      ShuffleWriteMetricsReporter metrics)
      throws IOException {
    timed(
        metrics,
        () -> {
          segments.add(byPartition(part, streams.shuffle().partitioner()));
          return segments;
        });
    metrics.incRecordsWritten(part.size());
  }

  /** Writes the file; returns the length of each partition. */
  private static long[] atOnce(
      List<Product2<?, ?>> records, MapOutputStreams streams, ShuffleWriteMetricsReporter metrics)
      throws IOException {
    metrics.incRecordsWritten(records.size());
    var parts = byPartition(records, streams.shuffle().partitioner());
    return timed(metrics, () -> committed(streams, output -> write(parts, streams, output)));
  }

  private static void write(
      SortedMap<Integer, List<Product2<?, ?>>> records,
      MapOutputStreams streams,
      ShuffleMapOutputWriter output)
      throws IOException {
    for (var each : records.entrySet()) {
      OutputStream to = output.getPartitionWriter(each.getKey()).openStream();
      streams.write(each.getValue(), each.getKey(), 0, to);
    }
  }

  private interface Output {
    void writeTo(ShuffleMapOutputWriter output) throws IOException;
  }

  private static long[] committed(MapOutputStreams streams, Output writing) throws IOException {
    ShuffleMapOutputWriter output =
        components()
            .createMapOutputWriter(
                streams.shuffle().shuffleId(),
                streams.map(),
                streams.shuffle().partitioner().numPartitions());
    try {
      writing.writeTo(output);
      return output.commitAllPartitions(new long[0]).getPartitionLengths();
    } catch (IOException | RuntimeException e) {
      output.abort(e);
      throw e;
    }
  }

  /** Returns the records of each partition that has any, in their order. */
  private static SortedMap<Integer, List<Product2<?, ?>>> byPartition(
      List<Product2<?, ?>> records, Partitioner partitioner) {
    return records.stream()
        .collect(
            Collectors.groupingBy(
                each -> partitioner.getPartition(each._1()), TreeMap::new, Collectors.toList()));
  }

  /** Returns this executor's components, created as the shuffle manager creates its own. */
  private static ShuffleExecutorComponents components() {
    SparkEnv env = SparkEnv.get();
    Components known = components;
    if (known == null || known.env() != env) {
      known = Components.of(env);
      components = known;
    }
    return known.files();
  }

  /** The storage of an executor's shuffle files. */
  private record Components(SparkEnv env, ShuffleExecutorComponents files) {
    static Components of(SparkEnv env) {
      ShuffleExecutorComponents files = new LocalDiskShuffleDataIO(env.conf()).executor();
      files.initializeExecutor(env.conf().getAppId(), env.executorId(), Map.of());
      return new Components(env, files);
    }
  }
}
