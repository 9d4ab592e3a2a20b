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
import org.apache.spark.serializer.SerializationStream;
import org.apache.spark.shuffle.ShuffleWriteMetricsReporter;
import org.apache.spark.shuffle.ShuffleWriteProcessor;
import org.apache.spark.shuffle.api.ShuffleExecutorComponents;
import org.apache.spark.shuffle.api.ShuffleMapOutputWriter;
import org.apache.spark.shuffle.sort.SortShuffleManager;
import org.apache.spark.shuffle.sort.io.LocalDiskShuffleDataIO;
import org.apache.spark.storage.ShuffleBlockId;
import org.jspecify.annotations.Nullable;
import scala.Product2;
import scala.collection.Iterator;
import scala.jdk.javaapi.CollectionConverters;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;

/**
 * Writes the output of a map task to one file at once if it is small. Spark's own writer creates a
 * file for every partition, then copies them into one, which takes most of the time of a shuffle of
 * a few kilobytes. Large output is left to that writer, and so is all output if another shuffle
 * manager, other storage for shuffles or push-based shuffle is configured.
 *
 * <p>The file is the same as Spark's own, but without checksums beside it, which tell a damaged
 * disk from a damaged connection.
 */
public final class SmallMapOutput extends ShuffleWriteProcessor {
  private static final long serialVersionUID = 1;

  /** The most bytes of records that are buffered until the task has produced all of them. */
  private static final long MAX_BYTES = 16 << 20;

  private static final ClassTag<Object> ANY = ClassTag$.MODULE$.Any();

  private static volatile @Nullable Components components;

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
    List<Product2<?, ?>> few = few(records);
    if (records.hasNext()) {
      Iterator<Object> all = CollectionConverters.asScala(List.<Object>copyOf(few).iterator());
      return super.write(all.concat(() -> records), shuffle, map, index, context);
    }
    try {
      return write(few, shuffle, map, context);
    } catch (IOException e) {
      throw SneakyThrow.thrown(e);
    }
  }

  /** Returns whether shuffle files are Spark's own, on local disks. */
  private static boolean isPlain(SparkEnv env) {
    String local = LocalDiskShuffleDataIO.class.getName();
    return env.shuffleManager().getClass() == SortShuffleManager.class
        && env.conf().get("spark.shuffle.sort.io.plugin.class", local).equals(local);
  }

  private static List<Product2<?, ?>> few(Iterator<Object> records) {
    List<Product2<?, ?>> few = new ArrayList<>();
    long bytes = 0;
    while (bytes < MAX_BYTES && records.hasNext()) {
      Product2<?, ?> next = (Product2<?, ?>) records.next();
      few.add(next);
      bytes += ((KnownSize) next._2()).estimatedSize();
    }
    return few;
  }

  private MapStatus write(
      List<Product2<?, ?>> records, ShuffleDependency<?, ?, ?> shuffle, long map, TaskContext task)
      throws IOException {
    SparkEnv env = SparkEnv.get();
    ShuffleWriteMetricsReporter metrics = createMetricsReporter(task);
    // the manager deletes the files of map tasks that requested a writer
    env.shuffleManager().getWriter(shuffle.shuffleHandle(), map, task, metrics).stop(false);
    long start = System.nanoTime();
    long[] lengths = lengths(records, shuffle, map);
    metrics.incRecordsWritten(records.size());
    metrics.incBytesWritten(Arrays.stream(lengths).sum());
    metrics.incWriteTime(System.nanoTime() - start);
    return MapStatus$.MODULE$.apply(
        env.blockManager().shuffleServerId(), lengths, map, MapStatus$.MODULE$.apply$default$4());
  }

  /** Writes the file; returns the length of each partition. */
  private static long[] lengths(
      List<Product2<?, ?>> records, ShuffleDependency<?, ?, ?> shuffle, long map)
      throws IOException {
    int partitions = shuffle.partitioner().numPartitions();
    ShuffleMapOutputWriter output =
        components().createMapOutputWriter(shuffle.shuffleId(), map, partitions);
    try {
      for (var byPartition : byPartition(records, shuffle.partitioner()).entrySet()) {
        ShuffleBlockId block = new ShuffleBlockId(shuffle.shuffleId(), map, byPartition.getKey());
        OutputStream to = output.getPartitionWriter(byPartition.getKey()).openStream();
        write(byPartition.getValue(), shuffle, block, to);
      }
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

  private static void write(
      List<Product2<?, ?>> records,
      ShuffleDependency<?, ?, ?> shuffle,
      ShuffleBlockId block,
      OutputStream to) {
    OutputStream wrapped = SparkEnv.get().serializerManager().wrapStream(block, to);
    SerializationStream stream = shuffle.serializer().newInstance().serializeStream(wrapped);
    for (Product2<?, ?> each : records) {
      stream.writeKey(each._1(), cast(ANY));
      stream.writeValue(each._2(), cast(ANY));
    }
    stream.close();
  }

  @SuppressWarnings("unchecked")
  private static <T> ClassTag<T> cast(ClassTag<?> tag) {
    return (ClassTag<T>) tag;
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
