/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.table;

import io.sparknd.benchmarks.report.PeerResult;
import io.sparknd.benchmarks.report.PeerResult.Role;
import io.sparknd.benchmarks.report.Samples;
import io.sparknd.benchmarks.report.WorkComparison;
import io.sparknd.table.FeatureTable;
import io.sparknd.table.options.FeatureTableSpec;
import io.sparknd.table.options.Variable;
import io.sparknd.table.publish.RedisSink;
import io.sparknd.table.reduction.VariableReduction;
import io.sparknd.table.result.TablePublication;
import io.sparknd.tensor.DType;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.args.FlushMode;

/**
 * Publication of a table to Redis: all rows at first, then what commits changed of it. Beside what
 * one writes without it: the rows that differ between two snapshots by {@code EXCEPT}, or all rows
 * again, by a pipeline in each task.
 */
final class PublishBenchmark {
  private static final int THREADS = 2;
  private static final String OURS = "FeatureTable.publish";
  private static final String EXCEPT = "Spark EXCEPT of two snapshots, a pipeline";
  private static final String ALL = "Spark, all rows by a pipeline";
  private static final double MEGABYTE = 1e6;

  private final SparkSession spark;
  private final Path directory;
  private final Lake lake;
  private final Size size;
  private final Map<String, List<Double>> millis = new LinkedHashMap<>();
  private final Map<String, List<Double>> megabytes = new LinkedHashMap<>();

  /** The number of rows of the table. */
  enum Size {
    QUICK(50_000),
    FULL(1_000_000);

    private final int rows;

    Size(int rows) {
      this.rows = rows;
    }

    /** Such as {@code 1M-publish}. */
    String id() {
      return KeyedChange.size(rows) + "-publish";
    }
  }

  /** The share of rows that a commit changes: one in so many. */
  private enum Share {
    THOUSANDTH(1000, "0.1"),
    HUNDREDTH(100, "1"),
    TENTH(10, "10");

    private final int oneIn;
    private final String percent;

    Share(int oneIn, String percent) {
      this.oneIn = oneIn;
      this.percent = percent;
    }
  }

  PublishBenchmark(SparkSession spark, Path directory, Size size) {
    this.spark = spark;
    this.directory = directory;
    this.lake = new Lake(spark, "publish");
    this.size = size;
  }

  List<WorkComparison> run(ChangeRounds pace) {
    try (RedisProcess redis = RedisProcess.start(directory)) {
      create();
      publishAll(redis, pace);
      List<WorkComparison> comparisons = new ArrayList<>();
      comparisons.add(compared(": all rows to an empty store", millis, "ms", ALL));
      int seed = 0;
      for (Share share : Share.values()) {
        List.of(millis, megabytes).forEach(Map::clear);
        for (int round = -pace.warmups(); round < pace.rounds(); round++) {
          changed(redis, share, ++seed, round >= 0);
        }
        String changed = share.percent + " % changed";
        comparisons.add(compared("/" + share.percent + ": " + changed, millis, "ms", EXCEPT, ALL));
        comparisons.add(
            compared(
                "/" + share.percent + "/sent: bytes sent, " + changed,
                megabytes,
                "MB",
                EXCEPT,
                ALL));
      }
      return comparisons;
    } finally {
      lake.drop();
    }
  }

  private void create() {
    lake.drop();
    FeatureTableSpec spec =
        FeatureTableSpec.keyedBy("key", "string")
            .with(Variable.of("seen", "bigint").reducedBy(VariableReduction.add()))
            .with(Variable.of("value", DType.FLOAT32, Layout.WIDTH))
            .withBuckets(8)
            .withProperty("write.parquet.compression-codec", "zstd");
    FeatureTable.create(spark, lake.name(), spec).scatter(updates(1, 0));
  }

  private Dataset<Row> updates(int oneIn, int seed) {
    Dataset<Row> ids =
        spark
            .range(0, size.rows, 1, 8)
            .toDF()
            .where("xxhash64(id, " + seed + ") % " + oneIn + " = 0");
    return KeyedInputs.withValues(KeyedInputs.keys(ids), KeyedValues.VECTOR, seed)
        .selectExpr("key", "1L AS seen", "value");
  }

  private FeatureTable table() {
    return FeatureTable.open(spark, lake.name());
  }

  /** Publishes all rows to an empty server in each round; all replicas are whole at the end. */
  private void publishAll(RedisProcess redis, ChangeRounds pace) {
    for (int round = -pace.warmups(); round < pace.rounds(); round++) {
      empty(redis);
      boolean isMeasured = round >= 0;
      time(OURS, isMeasured, () -> publish(redis).bytes());
      time(ALL, isMeasured, () -> rows(redis, ALL).write(table().toDataset()));
    }
    rows(redis, EXCEPT).write(table().toDataset());
    check(redis);
  }

  private static void empty(RedisProcess redis) {
    try (Jedis client = redis.client()) {
      client.flushAll(FlushMode.ASYNC);
    }
  }

  private void changed(RedisProcess redis, Share share, int seed, boolean isMeasured) {
    long before = table().snapshot().orElseThrow();
    table().scatter(updates(share.oneIn, seed));
    long after = table().snapshot().orElseThrow();
    time(OURS, isMeasured, () -> publish(redis).bytes());
    time(EXCEPT, isMeasured, () -> rows(redis, EXCEPT).write(except(before, after)));
    time(ALL, isMeasured, () -> rows(redis, ALL).write(table().toDataset()));
    check(redis);
  }

  private TablePublication publish(RedisProcess redis) {
    return table().publish(RedisSink.at(redis.address()).withName(prefix(OURS)));
  }

  private Dataset<Row> except(long before, long after) {
    return spark.sql(
        "SELECT key, seen, value FROM %1$s VERSION AS OF %2$d EXCEPT SELECT key, seen, value FROM %1$s VERSION AS OF %3$d"
            .formatted(lake.name(), after, before));
  }

  private static RedisRows rows(RedisProcess redis, String writer) {
    return new RedisRows(redis.address(), prefix(writer));
  }

  private static String prefix(String writer) {
    return switch (writer) {
      case OURS -> "users";
      case EXCEPT -> "except";
      default -> "all";
    };
  }

  /** Checks that the server has the rows of the table, by each writer, and no others. */
  private void check(RedisProcess redis) {
    Dataset<Row> table = table().toDataset();
    for (String writer : List.of(OURS, EXCEPT, ALL)) {
      long missing = rows(redis, writer).missing(table);
      if (missing > 0) {
        throw new IllegalStateException(missing + " rows are missing or differ by " + writer);
      }
    }
    try (Jedis client = redis.client()) {
      long expected = 3L * size.rows + 1; // a position
      if (client.dbSize() != expected) {
        throw new IllegalStateException(client.dbSize() + " keys, not " + expected);
      }
    }
  }

  private void time(String name, boolean isMeasured, LongSupplier work) {
    long[] bytes = new long[1];
    double time = Cost.millis(() -> bytes[0] = work.getAsLong());
    System.out.printf("  %s, %s: %.0f ms, %.2f MB%n", size.id(), name, time, bytes[0] / MEGABYTE);
    if (isMeasured) {
      millis.computeIfAbsent(name, n -> new ArrayList<>()).add(time);
      megabytes.computeIfAbsent(name, n -> new ArrayList<>()).add(bytes[0] / MEGABYTE);
    }
  }

  private WorkComparison compared(
      String title, Map<String, List<Double>> values, String unit, String... peers) {
    List<PeerResult> results = new ArrayList<>();
    results.add(new PeerResult(OURS, Role.OURS, new Samples(values.get(OURS))));
    for (String peer : peers) {
      results.add(new PeerResult(peer, Role.CORRECT, new Samples(values.get(peer))));
    }
    return new WorkComparison(size.id() + title, THREADS, 1, unit, results);
  }
}
