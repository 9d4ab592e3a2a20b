/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.table;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.expr;
import static org.apache.spark.sql.functions.lit;

import io.sparknd.benchmarks.report.PeerResult;
import io.sparknd.benchmarks.report.PeerResult.Role;
import io.sparknd.benchmarks.report.Samples;
import io.sparknd.benchmarks.report.WorkComparison;
import io.sparknd.cluster.options.AsOf;
import io.sparknd.table.FeatureTable;
import io.sparknd.table.options.FeatureTableSpec;
import io.sparknd.table.options.Variable;
import io.sparknd.tensor.DType;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/**
 * A training set of labels of a year: each gets the row of its user as of its time, from a table
 * with a snapshot a day. Beside one gather of the latest rows, a gather a day and their union, and
 * a window over a table of all rows of all days in Spark.
 */
final class AsOfBenchmark {
  private static final int THREADS = 2;
  private static final String OURS = "FeatureTable.gatherAsOf";
  private static final String GATHER = "FeatureTable.gather, latest";
  private static final String WINDOW = "Spark, window over all rows";
  private static final String LOOP = "FeatureTable.gather a day, union";
  private static final Instant BEGIN = Instant.parse("2026-01-01T00:00:00Z");

  /** The share of rows that each day updates: one in so many. */
  private static final int DAILY = 100;

  /** The most that a training set may cost of one gather. */
  private static final double GOAL = 3;

  private final SparkSession spark;
  private final Path history;
  private final Lake lake;
  private final Size size;

  /** The number of rows, which is that of labels, and the number of days. */
  enum Size {
    QUICK(100_000, 20),
    FULL(1_000_000, 365);

    private final int rows;
    private final int days;

    Size(int rows, int days) {
      this.rows = rows;
      this.days = days;
    }

    /** Such as {@code 1M-asof-365}. */
    String id() {
      return KeyedChange.size(rows) + "-asof-" + days;
    }
  }

  AsOfBenchmark(SparkSession spark, Path directory, Size size) {
    this.spark = spark;
    this.history = directory.resolve("history-" + size.id());
    this.lake = new Lake(spark, "asof");
    this.size = size;
  }

  List<WorkComparison> run(ChangeRounds pace) {
    create();
    Dataset<Row> labels = labels();
    Map<String, Supplier<Dataset<Row>>> contenders = new LinkedHashMap<>();
    contenders.put(OURS, () -> gatherAsOf(labels));
    contenders.put(GATHER, () -> table().gather(labels, List.of("key")));
    contenders.put(WINDOW, () -> window(labels));
    contenders.put(LOOP, () -> loop(labels));
    Map<String, List<Double>> millis = new LinkedHashMap<>();
    contenders.keySet().forEach(name -> millis.put(name, new ArrayList<>()));
    RowHash expected = hash(window(labels));
    for (int round = -pace.warmups(); round < pace.rounds(); round++) {
      for (Map.Entry<String, Supplier<Dataset<Row>>> contender : contenders.entrySet()) {
        if (!contender.getKey().equals(LOOP) || round == 0) { // takes minutes
          double time = time(contender.getKey(), contender.getValue(), expected);
          millis.get(contender.getKey()).addAll(round < 0 ? List.of() : List.of(time));
        }
      }
    }
    lake.drop();
    return List.of(
        compared(millis, ": beside one gather", GOAL, GATHER),
        compared(millis, "/peers: beside others", 1, WINDOW, LOOP));
  }

  private double time(String name, Supplier<Dataset<Row>> contender, RowHash expected) {
    RowHash[] found = new RowHash[1];
    double time = Cost.millis(() -> found[0] = hash(contender.get()));
    System.out.printf("  %s, %s: %.0f ms%n", size.id(), name, time);
    if (!name.equals(GATHER) && !found[0].equals(expected)) {
      throw new IllegalStateException(name + " gives " + found[0] + ", not " + expected);
    }
    return time;
  }

  private WorkComparison compared(
      Map<String, List<Double>> millis, String title, double goal, String... peers) {
    List<PeerResult> results = new ArrayList<>();
    results.add(new PeerResult(OURS, Role.OURS, new Samples(millis.get(OURS))));
    for (String peer : peers) {
      results.add(new PeerResult(peer, Role.CORRECT, new Samples(millis.get(peer))));
    }
    return new WorkComparison(size.id() + title, THREADS, goal, "ms", results);
  }

  private FeatureTable table() {
    return FeatureTable.open(spark, lake.name());
  }

  private static Instant day(int day) {
    return BEGIN.plus(Duration.ofDays(day));
  }

  /** Creates the table and the history: all rows on day 0, then some of them a day. */
  private void create() {
    lake.drop();
    FeatureTableSpec spec =
        FeatureTableSpec.keyedBy("key", "string")
            .with(Variable.of("value", DType.FLOAT32, Layout.WIDTH))
            .withBuckets(8)
            .withProperty("write.parquet.compression-codec", "zstd");
    FeatureTable.create(spark, lake.name(), spec);
    for (int day = 0; day < size.days; day++) {
      Dataset<Row> rows = rows(day);
      table().write().scatter(rows).batchId("day " + day).validAt(day(day)).commit();
      rows.withColumn("at", lit(day(day)))
          .write()
          .mode(day == 0 ? "overwrite" : "append")
          .parquet(history.toString());
    }
  }

  private Dataset<Row> rows(int day) {
    Dataset<Row> ids = spark.range(0, size.rows, 1, 8).toDF();
    Dataset<Row> updated =
        day == 0 ? ids : ids.where("xxhash64(id, " + day + ") % " + DAILY + " = 0").coalesce(2);
    return KeyedInputs.withValues(KeyedInputs.keys(updated), KeyedValues.VECTOR, day);
  }

  private Dataset<Row> labels() {
    Dataset<Row> drawn =
        spark
            .range(0, size.rows, 1, 8)
            .selectExpr(
                "id AS label",
                "pmod(xxhash64(id, 'user'), " + size.rows + ") AS id",
                "pmod(xxhash64(id, 'time'), " + size.days * 86_400L + ") AS second");
    Path path = history.resolveSibling("labels-" + size.id());
    KeyedInputs.keys(drawn, "label", "second")
        .selectExpr(
            "label", "key", "timestamp_seconds(" + BEGIN.getEpochSecond() + " + second) AS at")
        .write()
        .mode("overwrite")
        .parquet(path.toString());
    return spark.read().parquet(path.toString());
  }

  private Dataset<Row> gatherAsOf(Dataset<Row> labels) {
    return table().gatherAsOf(labels, List.of("key"), AsOf.validTime("at"));
  }

  /** What one writes without as-of gathers: the labels of each day from the day's snapshot. */
  private Dataset<Row> loop(Dataset<Row> labels) {
    return IntStream.range(0, size.days)
        .mapToObj(
            day -> {
              Dataset<Row> ofDay =
                  labels.where(col("at").geq(lit(day(day))).and(col("at").lt(lit(day(day + 1)))));
              return table().batch("day " + day).gather(ofDay, List.of("key"));
            })
        .reduce(Dataset::union)
        .orElseThrow();
  }

  /** What one writes in Spark: labels among all rows of their user, in the order of time. */
  private Dataset<Row> window(Dataset<Row> labels) {
    Dataset<Row> all =
        spark
            .read()
            .parquet(history.toString())
            .selectExpr("CAST(NULL AS BIGINT) AS label", "key", "at", "value")
            .unionByName(
                labels.selectExpr("label", "key", "at", "CAST(NULL AS ARRAY<FLOAT>) AS value"));
    return all.withColumn(
            "value",
            expr(
                "last_value(value) IGNORE NULLS OVER (PARTITION BY key ORDER BY at, label NULLS FIRST"
                    + " ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)"))
        .where("label IS NOT NULL");
  }

  private static RowHash hash(Dataset<Row> gathered) {
    Row row =
        gathered.selectExpr("count(*)", "coalesce(bit_xor(xxhash64(label, key, value)), 0)").head();
    return new RowHash(row.getLong(0), row.getLong(1));
  }
}
