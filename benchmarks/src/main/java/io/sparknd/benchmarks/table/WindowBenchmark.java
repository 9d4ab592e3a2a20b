/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.table;

import static org.apache.spark.sql.functions.expr;

import io.sparknd.benchmarks.report.PeerResult;
import io.sparknd.benchmarks.report.PeerResult.Role;
import io.sparknd.benchmarks.report.Samples;
import io.sparknd.benchmarks.report.WorkComparison;
import io.sparknd.cluster.options.AsOf;
import io.sparknd.table.FeatureTable;
import io.sparknd.table.options.FeatureTableSpec;
import io.sparknd.table.options.Variable;
import io.sparknd.table.reduction.TimeWindows;
import io.sparknd.table.reduction.VariableReduction;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/**
 * Sums of the last 90 days, kept up day by day: an event of each user a day. Beside window
 * functions and sums of Spark over all events, and a {@code MERGE} of the day's sums into a table
 * of Iceberg with those of all days. Then the sums of 1, 7, 30 and 90 days of all users at a time.
 */
final class WindowBenchmark {
  private static final int THREADS = 2;
  private static final String OURS = "FeatureTable.scatter in windows";
  private static final String FUNCTION = "Spark, window function over events";
  private static final String SUM = "Spark, sum of events by user";
  private static final String MERGE = "Iceberg MERGE of daily sums, and their sum";
  private static final String GATHER = "FeatureTable.gatherAsOf of 4 windows";
  private static final String SUMS = "Spark, 4 sums of events by user";

  /** The most that a day may cost of computing anew by window functions. */
  private static final double GOAL = 0.1;

  /** The rounds in which others run, which take minutes. */
  private static final int PEER_ROUNDS = 3;

  private static final int LOADED_AT_ONCE = 10;

  private final SparkSession spark;
  private final Path events;
  private final Path sums;
  private final Lake lake;
  private final Lake partials;
  private final Size size;
  private final Map<String, List<Double>> millis = new LinkedHashMap<>();

  /** The number of users, and of days in the longest window. */
  enum Size {
    QUICK(50_000, 40),
    FULL(1_000_000, 90);

    private final int users;
    private final int days;

    Size(int users, int days) {
      this.users = users;
      this.days = days;
    }

    /** Such as {@code 1M-windows-90}. */
    String id() {
      return KeyedChange.size(users) + "-windows-" + days;
    }
  }

  WindowBenchmark(SparkSession spark, Path directory, Size size) {
    this.spark = spark;
    this.events = directory.resolve("events-" + size.id());
    this.sums = directory.resolve("sums-" + size.id());
    this.lake = new Lake(spark, "windows");
    this.partials = new Lake(spark, "partials");
    this.size = size;
  }

  List<WorkComparison> run(ChangeRounds pace) {
    create();
    List.of(OURS, FUNCTION, SUM, MERGE, GATHER, SUMS)
        .forEach(name -> millis.put(name, new ArrayList<>()));
    for (int round = -1; round < pace.rounds(); round++) {
      step(size.days + round, round >= 0, round >= 0 && round < PEER_ROUNDS);
    }
    lake.drop();
    partials.drop();
    return List.of(
        compared(": beside window functions", GOAL, OURS, FUNCTION),
        compared("/peers: beside others", 1, OURS, SUM, MERGE),
        compared("/gather: windows of all users", 1, GATHER, SUMS));
  }

  /** Adds a day, and checks that all have the same sums after it. */
  private void step(int day, boolean isMeasured, boolean hasPeers) {
    Dataset<Row> rows = day(day);
    rows.write().mode("append").parquet(events.toString());
    Dataset<Row> stored = spark.read().parquet(events.toString()).where("day = " + date(day));
    time(OURS, isMeasured, () -> scatter(stored));
    time(GATHER, isMeasured, () -> gather(day).write().format("noop").mode("overwrite").save());
    if (!hasPeers) {
      merge(stored);
      return;
    }
    RowHash expected = hash(spark.table(lake.name()).selectExpr("key", "spent"));
    for (String peer : List.of(FUNCTION, SUM, MERGE)) {
      time(peer, true, () -> peer(peer, day).write().mode("overwrite").parquet(sums.toString()));
      RowHash found = hash(spark.read().parquet(sums.toString()));
      if (!found.equals(expected)) {
        throw new IllegalStateException(peer + " gives " + found + ", not " + expected);
      }
    }
    time(SUMS, true, () -> all(day).write().format("noop").mode("overwrite").save());
    if (!fourHash(all(day)).equals(fourHash(gather(day)))) {
      throw new IllegalStateException("windows of all users differ on day " + day);
    }
  }

  private Dataset<Row> peer(String peer, int day) {
    return switch (peer) {
      case FUNCTION -> function(day);
      case SUM -> sum(day);
      default -> merged(day);
    };
  }

  private void time(String name, boolean isMeasured, Runnable work) {
    double time = Cost.millis(work);
    System.out.printf("  %s, %s: %.0f ms%n", size.id(), name, time);
    millis.get(name).addAll(isMeasured ? List.of(time) : List.of());
  }

  private WorkComparison compared(String title, double goal, String ours, String... peers) {
    List<PeerResult> results = new ArrayList<>();
    results.add(new PeerResult(ours, Role.OURS, new Samples(millis.get(ours))));
    for (String peer : peers) {
      results.add(new PeerResult(peer, Role.CORRECT, new Samples(millis.get(peer))));
    }
    return new WorkComparison(size.id() + title, THREADS, goal, "ms", results);
  }

  private void create() {
    lake.drop();
    partials.drop();
    TimeWindows windows =
        TimeWindows.of(
            Duration.ofDays(1),
            Duration.ofDays(1),
            Duration.ofDays(7),
            Duration.ofDays(30),
            Duration.ofDays(size.days));
    FeatureTableSpec spec =
        FeatureTableSpec.keyedBy("key", "bigint")
            .with(Variable.of("day", "date").reducedBy(VariableReduction.max()))
            .with(
                Variable.of("spent", "bigint")
                    .reducedBy(VariableReduction.add().over("day", windows)))
            .withBuckets(8)
            .withProperty("write.parquet.compression-codec", "zstd");
    FeatureTable.create(spark, lake.name(), spec);
    spark.sql(
        "CREATE TABLE "
            + partials.name()
            + " (key BIGINT, day DATE, spent BIGINT) USING iceberg PARTITIONED BY (day)"
            + " TBLPROPERTIES ('format-version' = '3', 'write.merge.mode' = 'merge-on-read')");
    Directory.deleteAll(events);
    for (int from = 0; from < size.days - 1; from += LOADED_AT_ONCE) {
      int to = Math.min(size.days - 1, from + LOADED_AT_ONCE);
      for (int day = from; day < to; day++) {
        day(day).write().mode("append").parquet(events.toString());
      }
      Dataset<Row> loaded =
          spark
              .read()
              .parquet(events.toString())
              .where("day >= " + date(from) + " AND day < " + date(to));
      scatter(loaded);
      merge(loaded);
    }
  }

  private static String date(int day) {
    return "date_add(DATE'2026-01-01', " + day + ")";
  }

  private Dataset<Row> day(int day) {
    return spark
        .range(0, size.users, 1, 2)
        .selectExpr(
            "id AS key", date(day) + " AS day", "pmod(xxhash64(id, " + day + "), 10000) AS spent");
  }

  private FeatureTable table() {
    return FeatureTable.open(spark, lake.name());
  }

  private void scatter(Dataset<Row> rows) {
    table().scatter(rows);
  }

  private Dataset<Row> window(int day, int days) {
    return spark
        .read()
        .parquet(events.toString())
        .where("day > " + date(day - days) + " AND day <= " + date(day));
  }

  private Dataset<Row> function(int day) {
    return window(day, size.days)
        .selectExpr(
            "key",
            "day",
            "sum(spent) OVER (PARTITION BY key ORDER BY day RANGE BETWEEN INTERVAL "
                + (size.days - 1)
                + " DAYS PRECEDING AND CURRENT ROW) AS spent")
        .where("day = " + date(day))
        .select("key", "spent");
  }

  private Dataset<Row> sum(int day) {
    return window(day, size.days).groupBy("key").sum("spent").toDF("key", "spent");
  }

  private Dataset<Row> merged(int day) {
    merge(window(day, 1));
    return spark
        .table(partials.name())
        .where("day > " + date(day - size.days))
        .groupBy("key")
        .sum("spent")
        .toDF("key", "spent");
  }

  private void merge(Dataset<Row> rows) {
    rows.groupBy("key", "day")
        .sum("spent")
        .toDF("key", "day", "spent")
        .createOrReplaceTempView("d");
    spark.sql(
        "MERGE INTO "
            + partials.name()
            + " p USING d ON p.key = d.key AND p.day = d.day WHEN MATCHED THEN UPDATE SET"
            + " spent = p.spent + d.spent WHEN NOT MATCHED THEN INSERT *");
  }

  /** Returns the windows of all users at the end of a day. */
  private Dataset<Row> gather(int day) {
    Dataset<Row> labels =
        spark.range(0, size.users, 1, 2).selectExpr("id AS key", date(day + 1) + " AS at");
    return table().gatherAsOf(labels, List.of("key"), AsOf.latest("at"), four());
  }

  private String[] four() {
    return new String[] {"spent_1d", "spent_7d", "spent_30d", "spent_" + size.days + "d"};
  }

  private Dataset<Row> all(int day) {
    return window(day, size.days)
        .groupBy("key")
        .agg(since(day, 1), since(day, 7), since(day, 30), since(day, size.days));
  }

  private static Column since(int day, int days) {
    return expr("sum(spent) FILTER (WHERE day > " + date(day - days) + ") AS spent_" + days + "d");
  }

  private RowHash fourHash(Dataset<Row> rows) {
    return hash(rows.selectExpr("key", "hash(" + String.join(", ", four()) + ") AS spent"));
  }

  private static RowHash hash(Dataset<Row> sums) {
    Row row = sums.selectExpr("count(*)", "bit_xor(xxhash64(key, spent))").head();
    return new RowHash(row.getLong(0), row.getLong(1));
  }
}
