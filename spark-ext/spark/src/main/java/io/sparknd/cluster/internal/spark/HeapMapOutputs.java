/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.spark;

import java.lang.ref.Cleaner;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.spark.MapOutputTrackerMaster;
import org.apache.spark.ShuffleDependency;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import org.apache.spark.executor.TaskMetrics;
import org.apache.spark.shuffle.MetadataFetchFailedException;
import org.apache.spark.shuffle.ShuffleWriteProcessor;
import org.jspecify.annotations.Nullable;
import scala.Product2;

/**
 * Map outputs of shuffles in local mode that stay in the heap while there is room, so that records
 * pass from task to task by reference. Shuffles with larger outputs are in files. Outputs that were
 * read whole give way to those of other shuffles: Spark is told that they are gone, and runs their
 * map tasks again if a later job reads them. The rest ends with the shuffle itself, when nothing
 * refers to it any more.
 *
 * <p>A record may be read by several tasks, which must not modify it.
 */
public final class HeapMapOutputs {
  /** The outputs of all shuffles take at most one of so many parts of the heap. */
  private static final int SHARE = 8;

  private static final Cleaner CLEANER = Cleaner.create();

  /** Numbers shuffles of this JVM; a later application has Spark's numbers again. */
  private static final AtomicLong NUMBERS = new AtomicLong();

  /** By number, in the order of their creation. Guarded by the class. */
  private static final Map<Long, Shuffle> SHUFFLES = new LinkedHashMap<>();

  /** Of all outputs. Guarded by the class. */
  private static long bytes;

  private HeapMapOutputs() {}

  /** The outputs of one shuffle, by the id of the map task. */
  private static final class Shuffle {
    private final Map<Long, MapOutput> outputs = new HashMap<>();

    /** Whether no more outputs are kept. */
    private boolean isClosed;

    /** Whether the files of all outputs are complete. */
    private boolean isInFiles;

    /** Returns whether nobody waits for an output of the latest attempt of a map task. */
    boolean canGiveWay(SparkEnv env) {
      Map<Integer, Long> latest = new HashMap<>();
      outputs.values().forEach(each -> latest.merge(each.index(), each.map(), Math::max));
      return outputs.values().stream()
          .filter(each -> Objects.equals(latest.get(each.index()), each.map()))
          .allMatch(each -> each.isRead() || each.env() != env);
    }

    long bytes() {
      return outputs.values().stream().mapToLong(MapOutput::bytes).sum();
    }
  }

  /**
   * Returns what writes the outputs of a new shuffle. Its values are of known size.
   *
   * @param maps the number of map tasks
   */
  public static ShuffleWriteProcessor writer(int maps) {
    long number = NUMBERS.incrementAndGet();
    synchronized (HeapMapOutputs.class) {
      SHUFFLES.put(number, new Shuffle());
    }
    HeapOutputWriter writer = new HeapOutputWriter(number, most() / Math.max(1, maps));
    CLEANER.register(writer, () -> remove(number));
    return writer;
  }

  /** Returns the bytes that outputs of all shuffles may have. */
  static long most() {
    return Runtime.getRuntime().maxMemory() / SHARE;
  }

  /** Returns the bytes of all outputs in the heap. */
  static synchronized long bytes() {
    return bytes;
  }

  /** Returns whether outputs of a shuffle may stay in the heap. */
  static synchronized boolean isOpen(long number) {
    Shuffle shuffle = SHUFFLES.get(number);
    return shuffle != null && !shuffle.isClosed;
  }

  private static synchronized boolean isInFiles(long number) {
    Shuffle shuffle = SHUFFLES.get(number);
    return shuffle == null || shuffle.isInFiles;
  }

  /** Keeps an output if there is room. */
  static synchronized boolean keep(long number, MapOutput output) {
    Shuffle shuffle = SHUFFLES.get(number);
    if (shuffle == null || shuffle.isClosed || !makeRoom(output.bytes(), shuffle)) {
      return false;
    }
    MapOutput before = shuffle.outputs.put(output.map(), output);
    bytes += output.bytes() - (before == null ? 0 : before.bytes());
    return true;
  }

  private static boolean makeRoom(long more, Shuffle other) {
    if (bytes + more <= most()) {
      return true;
    }
    SparkEnv env = SparkEnv.get();
    List<Shuffle> old =
        SHUFFLES.values().stream().filter(each -> each != other && each.canGiveWay(env)).toList();
    if (bytes + more - old.stream().mapToLong(Shuffle::bytes).sum() > most()) {
      return false;
    }
    for (Shuffle each : old) {
      if (bytes + more > most()) {
        // another application's shuffles had the same numbers
        each.outputs.values().stream()
            .filter(output -> output.env() == env)
            .forEach(output -> unregister(output.shuffle(), output.index()));
        clear(each);
      }
    }
    return true;
  }

  private static void clear(Shuffle shuffle) {
    bytes -= shuffle.bytes();
    shuffle.outputs.clear();
  }

  private static synchronized void remove(long number) {
    Shuffle shuffle = SHUFFLES.remove(number);
    if (shuffle != null) {
      clear(shuffle);
    }
  }

  /** Tells Spark that an output is gone. A job that needs it then runs its map task first. */
  @SuppressWarnings("EmptyCatch")
  private static void unregister(int shuffle, int index) {
    SparkEnv env = SparkEnv.get();
    if (env.mapOutputTracker() instanceof MapOutputTrackerMaster tracker
        && tracker.containsShuffle(shuffle)) {
      try {
        tracker.unregisterMapOutput(shuffle, index, env.blockManager().shuffleServerId());
      } catch (Exception ignored) {
        // Spark's cleaner removed the shuffle meanwhile, which nothing refers to
      }
    }
  }

  /** Moves the outputs of a shuffle to files, where those of its other tasks go from now on. */
  static void toFiles(long number, ShuffleDependency<?, ?, ?> dependency) {
    Shuffle shuffle = closed(number);
    if (shuffle == null) {
      return;
    }
    synchronized (shuffle) {
      // until all files are complete the outputs are read in the heap
      for (MapOutput output : outputs(shuffle)) {
        BatchMapOutput.write(output, dependency);
      }
      finish(shuffle);
    }
  }

  private static synchronized @Nullable Shuffle closed(long number) {
    Shuffle shuffle = SHUFFLES.get(number);
    if (shuffle != null) {
      shuffle.isClosed = true;
    }
    return shuffle;
  }

  private static synchronized List<MapOutput> outputs(Shuffle shuffle) {
    return List.copyOf(shuffle.outputs.values());
  }

  private static synchronized void finish(Shuffle shuffle) {
    shuffle.isInFiles = true;
    clear(shuffle);
  }

  /**
   * Returns the records for a partition, in the order of map tasks; null if they are in files. For
   * tasks.
   *
   * @param dependency has a {@link #writer}, or none of this class
   */
  public static @Nullable List<Product2<?, ?>> records(
      ShuffleDependency<?, ?, ?> dependency, int partition) {
    return records(dependency, 0, Integer.MAX_VALUE, partition);
  }

  /**
   * Returns the records for a partition, as {@link #records(ShuffleDependency, int)}, of the map
   * tasks from {@code from} to before {@code to}.
   */
  static @Nullable List<Product2<?, ?>> records(
      ShuffleDependency<?, ?, ?> dependency, int from, int to, int partition) {
    if (!(dependency.shuffleWriterProcessor() instanceof HeapOutputWriter writer)
        || isInFiles(writer.number())) {
      return null;
    }
    int shuffle = dependency.shuffleId();
    List<MapOutput> outputs = new ArrayList<>();
    for (RegisteredOutput each : RegisteredOutput.all(shuffle, from, to, partition)) {
      MapOutput output = output(writer.number(), each.map());
      if (output == null && isInFiles(writer.number())) {
        return null;
      }
      if (output == null) {
        // another job needed the room meanwhile
        if (RegisteredOutput.all(shuffle, from, to, partition).contains(each)) {
          unregister(shuffle, each.index());
        }
        throw SneakyThrow.thrown(
            new MetadataFetchFailedException(shuffle, partition, each + " is no longer in memory"));
      }
      outputs.add(output);
    }
    return read(outputs, partition);
  }

  private static synchronized @Nullable MapOutput output(long number, long map) {
    Shuffle shuffle = SHUFFLES.get(number);
    return shuffle == null ? null : shuffle.outputs.get(map);
  }

  /** Returns the records, which from now on may give way to others. */
  private static List<Product2<?, ?>> read(List<MapOutput> outputs, int partition) {
    report(outputs, partition);
    List<Product2<?, ?>> records = new ArrayList<>();
    outputs.forEach(each -> records.addAll(each.of(partition)));
    synchronized (HeapMapOutputs.class) {
      outputs.forEach(each -> each.markRead(partition));
    }
    return records;
  }

  /** Counts records as read from this JVM's own shuffle files, beside which Spark shows them. */
  private static void report(List<MapOutput> outputs, int partition) {
    TaskMetrics metrics = TaskContext.get().taskMetrics();
    var read = metrics.createTempShuffleReadMetrics();
    read.incLocalBlocksFetched(outputs.size());
    for (MapOutput output : outputs) {
      read.incLocalBytesRead(output.bytesOf(partition));
      read.incRecordsRead(output.of(partition).size());
    }
    metrics.mergeShuffleReadMetrics();
  }
}
