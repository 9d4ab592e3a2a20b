/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.scaling;

import io.sparknd.cluster.internal.skew.HeavyHitterSample;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The tables of {@code docs/explanation/scaling.md} that {@link ClusterScale} computes. */
final class ScalingTables {
  private static final List<ClusterScale> CLUSTERS =
      Stream.of(10, 100, 1000).map(ClusterScale::new).toList();

  /** Values from here on round to four digits. */
  private static final double LARGEST = 999.5;

  private ScalingTables() {}

  /** A row of a table: a value for each cluster. */
  private record Quantity(String name, Function<ClusterScale, String> value) {
    static Quantity count(String name, Function<ClusterScale, Long> value) {
      return new Quantity(name, cluster -> ScalingTables.count(value.apply(cluster)));
    }

    static Quantity bytes(String name, Function<ClusterScale, Long> value) {
      return new Quantity(name, cluster -> ScalingTables.bytes(value.apply(cluster)));
    }

    static Quantity seconds(String name, Function<ClusterScale, Long> tasks) {
      return new Quantity(
          name,
          cluster ->
              String.format(
                  Locale.ROOT, "%.2g s", ClusterScale.driverSeconds(tasks.apply(cluster))));
    }

    String row() {
      return Stream.concat(Stream.of(name), CLUSTERS.stream().map(value))
          .collect(Collectors.joining(" | ", "| ", " |"));
    }
  }

  /** Returns the tables by name. */
  static Map<String, String> all() {
    return Map.of(
        "scatter", table(scatter()),
        "gather", table(gather()),
        "table", table(commit()),
        "step", table(step()),
        "limits", limits());
  }

  private static String table(List<Quantity> rows) {
    return Stream.concat(
            Stream.of("| executors | 10 | 100 | 1,000 |", "| --- | --- | --- | --- |"),
            rows.stream().map(Quantity::row))
        .collect(Collectors.joining("\n"));
  }

  private static List<Quantity> scatter() {
    return List.of(
        Quantity.count("cores `C`", ClusterScale::cores),
        Quantity.count("map tasks `M`", c -> c.scatter().mapTasks()),
        Quantity.count("partitions `P`", ClusterScale::partitions),
        Quantity.count("tasks", c -> c.scatter().tasks()),
        Quantity.bytes("shuffled, without headers", c -> c.scatter().bytes()),
        Quantity.bytes("shuffled by an executor", c -> c.scatter().bytes() / c.executors()),
        Quantity.bytes("shuffled besides if the tensor is not sorted", c -> c.tensor().bytes()),
        Quantity.count("blocks of the shuffle, `M · P`", c -> c.scatter().pairs()),
        Quantity.bytes("bytes of a block", c -> c.scatter().bytesOfAPair()),
        Quantity.bytes(
            "open batches of a map task", c -> c.partitions() * ShuffleScale.SMALLEST_BATCH),
        Quantity.bytes(
            "two versions, for an executor", c -> 2 * ClusterScale.TENSOR_BYTES / c.executors()),
        Quantity.bytes("storage memory of an executor", c -> c.storageBytes() / c.executors()),
        Quantity.seconds("driver", c -> c.scatter().tasks()));
  }

  private static List<Quantity> gather() {
    return List.of(
        Quantity.count("map tasks `M`", c -> c.gather().mapTasks()),
        Quantity.count("tasks", c -> c.gather().tasks()),
        Quantity.bytes("shuffled, without headers", c -> c.gather().bytes()),
        Quantity.bytes("bytes of a block", c -> c.gather().bytesOfAPair()),
        Quantity.count("tasks that read a table `R`", ClusterScale::tableGatherTasks),
        Quantity.seconds("driver", c -> c.gather().tasks()));
  }

  private static List<Quantity> commit() {
    return List.of(
        Quantity.count("blocks `B` of a tensor table", c -> c.tensorTable().blocks()),
        Quantity.count("tasks that write them `R`", c -> c.tensorTable().tasks()),
        Quantity.count("buckets `B` of a feature table", c -> c.featureTable().blocks()),
        Quantity.count("tasks that write them", c -> c.featureTable().tasks()),
        Quantity.count("new data files, tensor table", c -> c.tensorTable().touched()),
        Quantity.count("new files of vectors", c -> c.tensorTable().vectorFiles()),
        Quantity.count("objects put", c -> c.tensorTable().newObjects()),
        Quantity.count(
            "data files after 15 commits",
            c -> c.tensorTable().dataFiles(CommitScale.SMALL_FILES - 1)),
        Quantity.bytes(
            "entries sent to each executor then",
            c -> c.tensorTable().planBytes(CommitScale.SMALL_FILES - 1)));
  }

  private static List<Quantity> step() {
    return List.of(
        Quantity.count("shards `H`, and partitions `P`", c -> c.step().shards()),
        Quantity.count("rows of a shard `n`", c -> c.step().rowsOfAShard()),
        Quantity.count("tasks of a job", c -> c.step().tasks()),
        Quantity.count("messages, at most", c -> c.step().mostMessages()),
        Quantity.bytes("bytes of messages", c -> c.step().bytes()),
        Quantity.bytes("their headers, at most", c -> c.step().mostWritten() - c.step().bytes()),
        Quantity.bytes("gradients of a shard for an owner", c -> c.step().bytesOfAPair()),
        Quantity.seconds("driver", c -> c.step().tasks()));
  }

  private static String limits() {
    return Stream.concat(
            Stream.of("| work | limit | executors | set |", "| --- | --- | --- | --- |"),
            Stream.of(memoryLimits(), shuffleLimits(), tableLimits()).flatMap(List::stream))
        .collect(Collectors.joining("\n"));
  }

  private static List<String> memoryLimits() {
    int storage = ClusterScale.first(c -> c.storageBytes() >= 2 * ClusterScale.TENSOR_BYTES);
    int skew = ClusterScale.first(c -> c.partitions() > HeavyHitterSample.MAX_PARTITIONS);
    long partition = ClusterScale.TENSOR_BYTES / HeavyHitterSample.MAX_PARTITIONS;
    return List.of(
        limit(
            "scatter",
            "two versions exceed storage memory; the rest is on disk",
            "below " + count(storage),
            "nothing: it is slower, with the same result"),
        limit(
            "scatter",
            "hot slices are not looked for: `P` > 4,096",
            "from " + count(skew),
            "`Partitioning.of(4096)`: partitions of " + bytes(partition)));
  }

  private static List<String> shuffleLimits() {
    int scatter = ClusterScale.first(c -> isSmall(c.scatter().bytesOfAPair()));
    int gather = ClusterScale.first(c -> isSmall(c.gather().bytesOfAPair()));
    int step = ClusterScale.first(c -> isSmall(c.step().bytesOfAPair()));
    ShuffleScale updates = new ClusterScale(scatter).scatter();
    ShuffleScale indices = new ClusterScale(gather).gather();
    String both = "at most " + count(new ClusterScale(step - 1).cores());
    return List.of(
        limit(
            "scatter",
            "blocks of the shuffle below 8 KiB",
            "from " + count(scatter),
            "`updates.coalesce(" + updates.mostMapTasks() + ")`"),
        limit(
            "gather",
            "blocks of the shuffle below 8 KiB",
            "from " + count(gather),
            "`indices.coalesce(" + indices.mostMapTasks() + ")`"),
        limit(
            "training step",
            "messages below 8 KiB",
            "from " + count(step),
            both + " shards and as many partitions, or larger mini-batches"));
  }

  private static List<String> tableLimits() {
    int blocks = ClusterScale.first(c -> c.tensorTable().blocks() < c.cores());
    int buckets = ClusterScale.first(c -> c.featureTable().blocks() < c.cores());
    int unknown = ClusterScale.first(c -> CommitScale.DEFAULT_BUCKETS < c.cores());
    return List.of(
        limit(
            "feature table whose expected rows are not known",
            "16 buckets, fewer than cores",
            "from " + count(unknown),
            "`withExpectedRows` or `withBuckets`"),
        limit(
            "feature table",
            "fewer buckets than cores",
            "from " + count(buckets),
            "`withBuckets`: twice the cores"),
        limit(
            "tensor table",
            "fewer blocks than cores",
            "from " + count(blocks),
            "`withRowsPerBlock`: twice as many blocks as cores"));
  }

  private static String limit(String work, String limit, String executors, String remedy) {
    return "| %s | %s | %s | %s |".formatted(work, limit, executors, remedy);
  }

  private static boolean isSmall(long bytes) {
    return bytes < ShuffleScale.SMALLEST_BATCH;
  }

  private static String count(long value) {
    return String.format(Locale.ROOT, "%,d", value);
  }

  /** Returns bytes with three digits, in decimal units. */
  private static String bytes(long value) {
    double rest = value;
    for (String unit : List.of("bytes", "KB", "MB")) {
      if (rest < LARGEST) {
        return String.format(Locale.ROOT, "%.3g %s", rest, unit);
      }
      rest /= 1000;
    }
    return String.format(Locale.ROOT, rest < 100 ? "%.3g GB" : "%,.0f GB", rest);
  }
}
