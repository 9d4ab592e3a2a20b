/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table;

import static io.sparknd.table.TensorCatalogTables.EVENTS;
import static io.sparknd.table.TensorCatalogTables.insert;
import static io.sparknd.table.TensorCatalogTables.name;
import static io.sparknd.table.TensorCatalogTables.rows;
import static io.sparknd.table.TensorCatalogTables.shown;
import static io.sparknd.table.TensorCatalogTables.users;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apache.commons.io.FileUtils;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.spark.TaskContext;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerStageSubmitted;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.streaming.DataStreamWriter;
import org.apache.spark.sql.streaming.StreamingQuery;
import org.apache.spark.sql.streaming.Trigger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests streaming queries into tables of a {@link TensorCatalog}. */
class CatalogStreamTest {
  private static SparkSession spark;

  @BeforeAll
  static void addCatalog() {
    TensorCatalogTables.addCatalog();
    spark = TestTables.spark();
  }

  private static StreamingQuery stream(String table, Path input, Path checkpoint) throws Exception {
    return spark
        .readStream()
        .schema("user STRING, views BIGINT")
        .option("maxFilesPerTrigger", 1)
        .json(input.toString())
        .writeStream()
        .option("checkpointLocation", checkpoint.toString())
        .trigger(Trigger.AvailableNow())
        .toTable(table);
  }

  @Tag("slow")
  @Test
  void streamsAreScatteredOncePerEpoch(@TempDir Path folder) throws Exception {
    String table = users();
    Path input = Files.createDirectory(folder.resolve("input"));
    Path checkpoint = folder.resolve("checkpoint");
    long expected = 0;
    for (int epoch = 0; epoch < 4; epoch++) {
      List<String> lines = new ArrayList<>();
      for (int row = 0; row < 10; row++) {
        lines.add("{\"user\": \"u" + row % 3 + "\", \"views\": " + (row + epoch) + "}");
        expected += row + epoch;
      }
      Files.write(input.resolve(epoch + ".json"), lines);
      stream(table, input, checkpoint).awaitTermination();
      // as if the query had been killed after the commit to the table, before that of the epoch
      Files.delete(checkpoint.resolve("commits").resolve(Integer.toString(epoch)));
      Files.deleteIfExists(checkpoint.resolve("commits").resolve("." + epoch + ".crc"));
    }
    stream(table, input, checkpoint).awaitTermination();
    assertThat(rows("SELECT sum(views) FROM " + table)).containsExactly("[" + expected + "]");
    List<String> batches = new ArrayList<>();
    for (Snapshot snapshot : FeatureTable.open(spark, table).iceberg().snapshots()) {
      batches.add(snapshot.summary().get("sparknd.batch-id"));
    }
    assertThat(batches).hasSize(4).allMatch(batch -> batch.startsWith("stream "));
    assertThat(FeatureTable.open(spark, table).orphans(java.time.Duration.ZERO)).isEmpty();
  }

  /** Iceberg stores 8 and 16 bits as 32, which Spark must not read as they were. */
  @Test
  void streamsHaveSmallIntegers(@TempDir Path folder) throws Exception {
    String table = users();
    streamed(
        table,
        folder,
        "{\"user\": \"u\", \"small\": 300, \"tiny\": -3}\n",
        "user STRING, small SMALLINT, tiny TINYINT",
        "small AS views",
        "array(float(tiny), float(small)) AS taste");
    assertThat(shown(table)).containsExactly("[u,300,null,ArraySeq(-3.0, 300.0)]");
  }

  /** Streams columns {@code user} and {@code values} of one file into the table. */
  private static void streamed(
      String table, Path folder, String json, String schema, String... values) throws Exception {
    Path input = Files.createDirectory(folder.resolve("input"));
    Files.writeString(input.resolve("1.json"), json);
    spark
        .readStream()
        .schema(schema)
        .json(input.toString())
        .selectExpr(Stream.concat(Stream.of("user"), Stream.of(values)).toArray(String[]::new))
        .writeStream()
        .option("checkpointLocation", folder.resolve("c").toString())
        .trigger(Trigger.AvailableNow())
        .toTable(table)
        .awaitTermination();
  }

  /** An epoch's rows wait for the commit in files of Iceberg, which has no type for them. */
  @Test
  void streamsOfIntervalsAreRefused(@TempDir Path folder) throws Exception {
    String table = users();
    assertThatThrownBy(
            () ->
                streamed(
                    table,
                    folder,
                    "{\"user\": \"u\"}\n",
                    "user STRING",
                    "INTERVAL '1' DAY AS views"))
        .hasStackTraceContaining("column views of a streaming query into table " + table)
        .hasStackTraceContaining("is interval day")
        .hasStackTraceContaining("cast it");
  }

  @Test
  void aFailedEpochLeavesNoFile(@TempDir Path folder) throws Exception {
    String table = users();
    Path input = Files.createDirectory(folder.resolve("input"));
    Files.writeString(input.resolve("1.json"), "{\"user\": null, \"views\": 1}\n");
    assertThatThrownBy(() -> stream(table, input, folder.resolve("c")).awaitTermination())
        .hasStackTraceContaining("NULL");
    Path location = Path.of(FeatureTable.open(spark, table).iceberg().location().substring(5));
    try (Stream<Path> files = Files.walk(location)) {
      assertThat(files.filter(file -> file.toString().endsWith(".parquet"))).isEmpty();
    }
    assertThat(rows("SELECT count(*) FROM " + table)).containsExactly("[0]");
  }

  /** Of rows without a key, and outside of a numbered axis. */
  @Test
  void badKeysOfAStreamAreIgnored(@TempDir Path folder) throws Exception {
    String table = users();
    Path input = Files.createDirectory(folder.resolve("input"));
    Files.writeString(
        input.resolve("1.json"),
        "{\"user\": null, \"views\": 1}\n{\"user\": \"u\", \"views\": 2}\n");
    named(input, folder.resolve("c"))
        .option("bad-indices", "ignore")
        .toTable(table)
        .awaitTermination();
    assertThat(rows("SELECT user, views FROM " + table)).containsExactly("[u,2]");
    assertThatThrownBy(
            () ->
                named(input, folder.resolve("clipped"))
                    .option("bad-indices", "clip")
                    .toTable(table)
                    .awaitTermination())
        .hasStackTraceContaining("option bad-indices is 'clip'; use error or ignore");
    assertThat(rows("SELECT user, views FROM " + table)).containsExactly("[u,2]");
  }

  @Test
  void timeOfAStreamIsRefused(@TempDir Path folder) throws Exception {
    String table = users();
    Path input = oneView(folder);
    assertThatThrownBy(
            () ->
                named(input, folder.resolve("c"))
                    .option("valid-at", "2026-05-01T00:00:00Z")
                    .toTable(table)
                    .awaitTermination())
        .hasStackTraceContaining("valid-at '2026-05-01T00:00:00Z' is set for a streaming query");
    assertThat(rows("SELECT * FROM " + table)).isEmpty();
  }

  private static StreamingQuery streamTo(TensorTable table, Path folder, String value)
      throws Exception {
    Path input = Files.createDirectory(folder.resolve("input"));
    Files.writeString(input.resolve("1.json"), "{\"i0\": 1}\n{\"i0\": 2}\n");
    return spark
        .readStream()
        .schema("i0 BIGINT")
        .json(input.toString())
        .selectExpr("i0", value + " AS value")
        .writeStream()
        .option("checkpointLocation", folder.resolve("c").toString())
        .toTable(table.name());
  }

  private static TensorTable tensor() {
    return TensorTable.create(HookedLake.spark(), HookedLake.alteredName(), HookedLake.spec());
  }

  /** The file would keep the disk full. */
  @Test
  void aFileThatCannotBeCompletedIsDeleted(@TempDir Path folder) throws Exception {
    TensorTable table = tensor();
    AtomicInteger refused = new AtomicInteger();
    HookedIO.Hook full =
        (step, path, bytes) -> {
          if (step == HookedIO.Step.WRITE && path.endsWith(".parquet")) {
            refused.incrementAndGet();
            throw new IOException("no space left");
          }
        };
    try (AutoCloseable hooked = HookedIO.with(full)) {
      String failing = "IF(i0 = 2, raise_error('second row'), i0)";
      assertThatThrownBy(() -> streamTo(table, folder, failing).awaitTermination())
          .hasStackTraceContaining("second row");
    }
    assertThat(refused).hasPositiveValue();
    assertThat(HookedLake.files(table)).noneMatch(file -> file.endsWith(".parquet"));
  }

  /** Spark takes an InterruptedException for the end of a query, and other errors for a failure. */
  @Test
  void aQueryThatStopsInAMapStageHasNotFailed(@TempDir Path folder) throws Exception {
    TensorTable table = tensor();
    CountDownLatch reading = new CountDownLatch(1);
    CountDownLatch stopped = new CountDownLatch(1);
    Consumer<String> waiting =
        path -> {
          if (path.endsWith(".parquet") && TaskContext.get() != null) {
            reading.countDown();
            await(stopped);
          }
        };
    StreamingQuery query;
    try (AutoCloseable hooked = HookedIO.whenReading(waiting)) {
      query = streamTo(table, folder, "i0");
      assertThat(reading.await(60, TimeUnit.SECONDS)).isTrue();
      query.stop();
    } finally {
      stopped.countDown();
    }
    assertThat(query.exception().isEmpty()).as(query.exception().toString()).isTrue();
    HookedLake.assertNoOrphans(table);
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void batchIdOfAStreamIsRefused(@TempDir Path folder) throws Exception {
    String table = users();
    Path input = Files.createDirectory(folder.resolve("input"));
    Files.writeString(input.resolve("1.json"), "{\"user\": \"u\", \"views\": 1}\n");
    assertThatThrownBy(
            () ->
                spark
                    .readStream()
                    .schema("user STRING, views BIGINT")
                    .json(input.toString())
                    .writeStream()
                    .option("checkpointLocation", folder.resolve("c").toString())
                    .option("batch-id", "1")
                    .trigger(Trigger.AvailableNow())
                    .toTable(table)
                    .awaitTermination())
        .hasStackTraceContaining("names its batches itself");
  }

  @Test
  void optionsOfSparkAreTakenAndUnknownOnesRefused(@TempDir Path folder) throws Exception {
    String table = users();
    Path input = oneView(folder);
    assertThatThrownBy(
            () ->
                named(input, folder.resolve("refused"))
                    .option("batch_id", "1")
                    .toTable(table)
                    .awaitTermination())
        .hasStackTraceContaining("option 'batch_id' = '1' of a write into table " + table);
    named(input, folder.resolve("c"))
        .option("fanout-enabled", "true")
        .option("snapshot-property.run-id", "7")
        .toTable(table)
        .awaitTermination();
    assertThat(rows("SELECT summary['run-id'] FROM " + table + ".snapshots"))
        .containsExactly("[7]");
  }

  private static DataStreamWriter<Row> named(Path input, Path checkpoint) {
    return spark
        .readStream()
        .schema("user STRING, views BIGINT")
        .json(input.toString())
        .writeStream()
        .queryName("views")
        .option("checkpointLocation", checkpoint.toString())
        .trigger(Trigger.AvailableNow());
  }

  private static String usersWithAudit() {
    String table = users();
    insert(table, EVENTS);
    Table iceberg = FeatureTable.open(spark, table).iceberg();
    long snapshot = iceberg.currentSnapshot().snapshotId();
    iceberg.manageSnapshots().createBranch("audit").createTag("first", snapshot).commit();
    return table;
  }

  private static Path oneView(Path folder) throws Exception {
    Path input = Files.createDirectory(folder.resolve("input"));
    Files.writeString(input.resolve("1.json"), "{\"user\": \"u1\", \"views\": 1}\n");
    return input;
  }

  /** Spark creates a table that a stream names and that the catalog does not find. */
  @Test
  void aStreamIntoABranchMakesNoTable(@TempDir Path folder) throws Exception {
    String table = usersWithAudit();
    stream(table + ".branch_audit", oneView(folder), folder.resolve("c")).awaitTermination();
    String views = "SELECT views FROM %s WHERE user = 'u1'";
    assertThat(rows(views.formatted(table + ".branch_audit"))).containsExactly("[5]");
    assertThat(rows(views.formatted(table))).containsExactly("[4]");
    assertThat(FeatureTable.open(spark, table).branch("audit").toDataset().count()).isEqualTo(2);
  }

  @Test
  void aStreamIntoATagOrSnapshotIsRefused(@TempDir Path folder) throws Exception {
    String table = usersWithAudit();
    Path input = oneView(folder);
    long snapshot = FeatureTable.open(spark, table).iceberg().currentSnapshot().snapshotId();
    for (String version : List.of("tag_first", "snapshot_id_" + snapshot)) {
      assertThatThrownBy(
              () ->
                  stream(table + "." + version, input, folder.resolve(version)).awaitTermination())
          .hasStackTraceContaining(table + "." + version + " is a tag or snapshot")
          .hasStackTraceContaining("write to the table, or to a branch of it");
    }
  }

  @Test
  void aTableDoesNotHideABranch(@TempDir Path folder) throws Exception {
    String table = usersWithAudit();
    Path input = oneView(folder);
    for (String version : List.of("branch_none", "tag_none", "snapshot_id_7", "at_timestamp_7")) {
      String name = table + "." + version;
      String refusal = name + " selects a branch, tag or snapshot of table " + table;
      assertThatThrownBy(() -> stream(name, input, folder.resolve(version)).awaitTermination())
          .hasStackTraceContaining(refusal);
      for (String statement :
          List.of(
              "CREATE TABLE %s (id INT) USING iceberg",
              "CREATE TABLE %s (id INT NOT NULL) TBLPROPERTIES ('sparknd.key' = 'id')",
              "CREATE TABLE %s USING iceberg AS SELECT 1 AS id",
              "CREATE OR REPLACE TABLE %s USING iceberg AS SELECT 1 AS id")) {
        assertThatThrownBy(() -> spark.sql(statement.formatted(name)))
            .as(statement)
            .hasStackTraceContaining(refusal);
      }
    }
    assertThatThrownBy(() -> spark.sql("DROP TABLE " + table + ".branch_audit"))
        .hasStackTraceContaining("DROP BRANCH");
    assertThatThrownBy(() -> spark.sql("DROP TABLE " + table + ".branch_audit PURGE"))
        .hasStackTraceContaining("DROP BRANCH");
    spark.sql("CREATE TABLE nd_lake.shop.branch_office (id INT) USING iceberg");
    spark.sql("DROP TABLE nd_lake.shop.branch_office");
  }

  /** Spark plans epochs of an older checkpoint anew, with other rows of the same epoch numbers. */
  @Test
  void rowsOfAnOlderCheckpointAreNotLeftOut(@TempDir Path folder) throws Exception {
    String table = users();
    Path input = oneView(folder);
    Path checkpoint = folder.resolve("c");
    stream(table, input, checkpoint).awaitTermination();
    Path old = folder.resolve("old");
    FileUtils.copyDirectory(checkpoint.toFile(), old.toFile());
    for (int file = 2; file <= 3; file++) {
      Files.writeString(input.resolve(file + ".json"), "{\"user\": \"u2\", \"views\": 1}\n");
    }
    stream(table, input, checkpoint).awaitTermination();
    assertThatThrownBy(() -> stream(table, input, old).awaitTermination())
        .hasStackTraceContaining("sends epoch 1, but table " + table + " has its epoch 2")
        .hasStackTraceContaining("the query's checkpoint location is older than the table");
    assertThat(rows("SELECT sum(views) FROM " + table)).containsExactly("[3]");
  }

  /** Spark takes rows of an RDD for huge, for which a scatter has a task a block. */
  @Test
  void smallEpochsHaveFewTasks(@TempDir Path folder) throws Exception {
    String table = name();
    spark.sql(
        "CREATE TABLE "
            + table
            + " (user STRING NOT NULL, views BIGINT DEFAULT 0) USING iceberg"
            + " PARTITIONED BY (bucket(500, user)) TBLPROPERTIES ('sparknd.key' = 'user',"
            + " 'sparknd.variable.views.reduction' = 'add')");
    AtomicInteger tasks = new AtomicInteger();
    SparkListener counter =
        new SparkListener() {
          @Override
          public void onStageSubmitted(SparkListenerStageSubmitted stage) {
            tasks.addAndGet(stage.stageInfo().numTasks());
          }
        };
    spark.sparkContext().addSparkListener(counter);
    try {
      stream(table, oneView(folder), folder.resolve("c")).awaitTermination();
      spark.sparkContext().listenerBus().waitUntilEmpty();
    } finally {
      spark.sparkContext().removeSparkListener(counter);
    }
    assertThat(tasks.get()).isBetween(1, 50);
    assertThat(rows("SELECT views FROM " + table)).containsExactly("[1]");
  }

  /** An epoch that Spark repeats after a crash may have other rows. */
  @Test
  void continuousQueriesAreRefused(@TempDir Path folder) throws Exception {
    StreamingQuery query =
        spark
            .readStream()
            .format("rate")
            .option("numPartitions", 1)
            .load()
            .selectExpr("'u' AS user", "1L AS views")
            .writeStream()
            .option("checkpointLocation", folder.resolve("c").toString())
            .trigger(Trigger.Continuous(300))
            .toTable(users());
    assertThatThrownBy(() -> query.awaitTermination(60_000))
        .hasMessageContaining("Trigger.Continuous cannot write to table");
  }

  @Test
  void streamsOfOneNameTwiceAreRefused(@TempDir Path folder) throws Exception {
    String table = users();
    assertThatThrownBy(
            () ->
                streamed(
                    table,
                    folder,
                    "{\"user\": \"u\"}\n",
                    "user STRING",
                    "1L AS views",
                    "2L AS views"))
        .hasStackTraceContaining("column 'views' is ambiguous among [user, views, views]");
  }

  /** The advice for a statement that overwrites does not fit a stream. */
  @Test
  void streamsThatReplaceAllRowsAreRefused(@TempDir Path folder) throws Exception {
    String table = users();
    Path input = oneView(folder);
    assertThatThrownBy(
            () ->
                spark
                    .readStream()
                    .schema("user STRING, views BIGINT")
                    .json(input.toString())
                    .groupBy("user")
                    .count()
                    .selectExpr("user", "count AS views")
                    .writeStream()
                    .outputMode("complete")
                    .option("checkpointLocation", folder.resolve("c").toString())
                    .trigger(Trigger.AvailableNow())
                    .toTable(table)
                    .awaitTermination())
        .hasStackTraceContaining("output mode complete would replace all rows of table " + table)
        .hasStackTraceContaining("use output mode append");
  }
}
