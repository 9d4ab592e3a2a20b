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

import io.sparknd.table.options.FeatureTableSpec;
import io.sparknd.table.options.TensorSpec;
import io.sparknd.table.options.Variable;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.spark.CommitMetadata;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests {@code INSERT} and appends into tables of a {@link TensorCatalog}. */
class CatalogInsertTest {
  private static SparkSession spark;

  @BeforeAll
  static void addCatalog() {
    TensorCatalogTables.addCatalog();
    spark = TestTables.spark();
  }

  @Test
  void insertsAreReducedAsDeclared() {
    String table = users();
    insert(table, EVENTS);
    insert(table, EVENTS);
    assertThat(shown(table))
        .containsExactly("[u1,8,Oslo,ArraySeq(4.0, 6.0)]", "[u2,4,Bern,ArraySeq(0.0, 2.0)]");
    FeatureTable opened = FeatureTable.open(spark, table);
    assertThat(opened.variables()).containsExactly("views", "seen", "city", "taste");
    assertThat(opened.iceberg().schema().findField("views").doc()).isEqualTo("pages seen");
  }

  /** With a fill value that is the same instant in each session. */
  @Test
  void slicesOfTimesAreUpdatedAndFilled() {
    String table = name();
    spark.sql(
        "CREATE TABLE "
            + table
            + " (id BIGINT NOT NULL, seen ARRAY<TIMESTAMP>, days ARRAY<ARRAY<DATE>>) USING iceberg"
            + " TBLPROPERTIES ('sparknd.key' = 'id', 'sparknd.variable.seen.shape' = '[2]',"
            + " 'sparknd.variable.seen.fill' = '2026-01-01 00:00:00+01:00',"
            + " 'sparknd.variable.days.shape' = '[1, 2]')");
    spark.sql(
        "INSERT INTO "
            + table
            + " (id, seen, days) SELECT 1L, array(timestamp'2026-03-01 00:00:00Z', date'2026-03-02'),"
            + " array(array(date'2026-03-03', date'2026-03-04'))");
    assertThat(rows("SELECT seen[0] = timestamp'2026-03-01 00:00:00Z', days FROM " + table))
        .containsExactly("[true,ArraySeq(ArraySeq(2026-03-03, 2026-03-04))]");
    Row missing =
        FeatureTable.open(spark, table)
            .gather(spark.sql("SELECT 2L AS id"), List.of("id"))
            .selectExpr("CAST(seen AS ARRAY<BIGINT>)", "days")
            .first();
    long fill = Instant.parse("2025-12-31T23:00:00Z").getEpochSecond();
    assertThat(missing.getList(0)).isEqualTo(List.of(fill, fill));
    assertThat(missing.isNullAt(1)).isTrue();
  }

  @Test
  void columnsThatAnInsertOmitsDoNotChange() {
    String table = users();
    insert(table, EVENTS);
    spark.sql("INSERT INTO " + table + " (user, views) VALUES ('u1', 10), ('u3', 1)");
    spark.sql("INSERT INTO " + table + " BY NAME SELECT 'u2' AS user, 5L AS views");
    spark.sql("INSERT INTO " + table + " (user, city, seen) VALUES ('u2', 'Rom', now())");
    assertThat(shown(table))
        .containsExactly(
            "[u1,14,Oslo,ArraySeq(2.0, 3.0)]", "[u2,7,Rom,ArraySeq(0.0, 1.0)]", "[u3,1,null,null]");
  }

  @Test
  void appendsOfABatchAreAppliedOnce() throws Exception {
    String table = users();
    for (int i = 0; i < 3; i++) {
      spark.sql(EVENTS).writeTo(table).option("batch-id", "day 1").append();
    }
    spark.sql(EVENTS).write().format("iceberg").mode("append").save(table);
    assertThat(rows("SELECT sum(views) FROM " + table)).containsExactly("[12]");
  }

  @Test
  void insertsMakeTheWapBranch() {
    assertInsertsMakeTheWapBranch(spark);
  }

  /** The extensions give the table the branch before it is there. */
  @Test
  void insertsMakeTheWapBranchWithIcebergsExtensions() {
    assertInsertsMakeTheWapBranch(TestTables.withExtensions());
  }

  private static void assertInsertsMakeTheWapBranch(SparkSession session) {
    String table = users();
    insert(table, EVENTS);
    spark.sql("ALTER TABLE " + table + " SET TBLPROPERTIES ('write.wap.enabled' = 'true')");
    session.conf().set("spark.wap.branch", "audit");
    try {
      session.sql("INSERT INTO " + table + " (user, views) VALUES ('u1', 1)");
      session.sql("INSERT INTO " + table + " (user, views) VALUES ('u1', 1)");
    } finally {
      session.conf().unset("spark.wap.branch");
    }
    String views = "SELECT views FROM %s WHERE user = 'u1'";
    assertThat(rows(views.formatted(table + ".branch_audit"))).containsExactly("[6]");
    assertThat(rows(views.formatted(table))).containsExactly("[4]");
  }

  @Test
  void branchOfAnOptionMustExistAndBeThatOfTheName() throws Exception {
    String table = users();
    insert(table, EVENTS);
    FeatureTable.open(spark, table).iceberg().manageSnapshots().createBranch("test").commit();
    spark.sql(EVENTS).writeTo(table).option("branch", "test").append();
    assertThat(rows("SELECT sum(views) FROM " + table + ".branch_test")).containsExactly("[12]");
    assertThat(rows("SELECT sum(views) FROM " + table)).containsExactly("[6]");
    assertThatThrownBy(() -> spark.sql(EVENTS).writeTo(table).option("branch", "none").append())
        .hasStackTraceContaining("'none'");
    assertThatThrownBy(
            () ->
                spark.sql(EVENTS).writeTo(table + ".branch_test").option("branch", "main").append())
        .hasStackTraceContaining("is named with branch 'test', and the option branch is 'main'");
  }

  private static Map<String, String> summary(FeatureTable table) {
    table.iceberg().refresh();
    return table.iceberg().currentSnapshot().summary();
  }

  @Test
  void snapshotsHaveThePropertiesOfTheSessionAndTheWrite() throws Exception {
    FeatureTable table = FeatureTable.open(spark, users());
    String setting = "spark.sql.iceberg.snapshot-property.";
    List<String> settings = List.of("run-id", "step", "sparknd.batch-id", "sparknd.updates");
    settings.forEach(name -> spark.conf().set(setting + name, "7"));
    try {
      insert(table.name(), EVENTS);
      assertThat(summary(table))
          .containsEntry("run-id", "7")
          .containsEntry("sparknd.updates", "3")
          .doesNotContainKey("sparknd.batch-id");
      spark.sql(EVENTS).writeTo(table.name()).option("snapshot-property.step", "load").append();
      assertThat(summary(table)).containsEntry("run-id", "7").containsEntry("step", "load");
      table.evict("user = 'u2'");
      assertThat(summary(table)).containsEntry("run-id", "7").containsKey("sparknd.evicted-rows");
      Dataset<Row> batch = spark.sql("SELECT 'u1' AS user, 1L AS views");
      CommitMetadata.withCommitProperties(
          Map.of("run-id", "8"), () -> table.scatter(batch), RuntimeException.class);
      assertThat(summary(table)).containsEntry("run-id", "8").containsEntry("sparknd.updates", "1");
    } finally {
      settings.forEach(name -> spark.conf().unset(setting + name));
    }
  }

  @Test
  void insertStatementsHaveOptions() {
    FeatureTable table = FeatureTable.open(spark, users());
    String insert =
        "INSERT INTO %s WITH (`batch-id` = 'monday', 'valid-at' = '2026-03-03T00:00:00Z') BY NAME";
    for (int i = 0; i < 2; i++) {
      spark.sql(insert.formatted(table.name()) + EVENTS);
      assertThat(summary(table)).containsEntry("sparknd.valid-at", "2026-03-03T00:00:00Z");
    }
    assertThat(rows("SELECT sum(views) FROM " + table.name())).containsExactly("[6]");
  }

  @Test
  void resizeHasThePropertiesOfTheSession() {
    FeatureTable table =
        FeatureTable.create(
            spark, name(), FeatureTableSpec.numbered("id", 10).with(Variable.of("n", "BIGINT")));
    spark.conf().set("spark.sql.iceberg.snapshot-property.run-id", "7");
    try {
      table.resize(20);
    } finally {
      spark.conf().unset("spark.sql.iceberg.snapshot-property.run-id");
    }
    assertThat(summary(table)).containsEntry("run-id", "7").containsEntry("sparknd.size", "20");
  }

  @Test
  void badKeysOfAWriteAreErrorsOrIgnored() throws Exception {
    String labelled = users();
    Dataset<Row> events = spark.sql("SELECT * FROM VALUES (NULL, 1L), ('u', 2L) AS e(user, views)");
    for (String option : List.of("error", "ignore")) { // Spark checks NOT NULL before the write
      assertThatThrownBy(() -> events.writeTo(labelled).option("bad-indices", option).append())
          .hasStackTraceContaining("NULL");
    }
    String numbered = name();
    FeatureTableSpec spec = FeatureTableSpec.numbered("id", 10).with(Variable.of("n", "BIGINT"));
    FeatureTable.create(spark, numbered, spec);
    String tensor = name();
    TensorTable.create(spark, tensor, TensorSpec.of(DType.INT64, Shape.of(10)));
    for (String table : List.of(numbered, tensor)) {
      String[] columns = spark.table(table).columns();
      Dataset<Row> some =
          spark.sql("SELECT * FROM VALUES (99L, 1L), (3L, 2L), (10L, 3L)").toDF(columns);
      assertThatThrownBy(() -> some.writeTo(table).append()).hasStackTraceContaining("bounds");
      assertThatThrownBy(() -> some.writeTo(table).option("bad-indices", "clip").append())
          .hasStackTraceContaining("option bad-indices is 'clip'; use error or ignore");
      some.writeTo(table).option("bad-indices", "ignore").append();
      assertThat(rows("SELECT * FROM " + table)).as(table).containsExactly("[3,2]");
    }
  }

  @Test
  void valuesOfAWriteAreValidFromTheTimeOfItsOption() throws Exception {
    FeatureTable table = FeatureTable.open(spark, users());
    assertThatThrownBy(
            () -> spark.sql(EVENTS).writeTo(table.name()).option("valid-at", "yesterday").append())
        .hasStackTraceContaining("yesterday")
        .hasStackTraceContaining("valid-at");
    Instant time = Instant.parse("2026-05-01T00:00:00Z");
    spark.sql(EVENTS).writeTo(table.name()).option("valid-at", time.toString()).append();
    assertThat(summary(table)).containsEntry("sparknd.valid-at", time.toString());
  }

  /** An empty id would be that of all batches, and one with a comma of two. */
  @ParameterizedTest
  @ValueSource(strings = {"", " ", "a,b"})
  void idsThatCannotBeRecordedAreRefused(String id) {
    String name = users();
    FeatureTable table = FeatureTable.open(spark, name);
    String tensor = name();
    TensorTable.create(spark, tensor, TensorSpec.of(DType.INT64, Shape.of(10)));
    String call =
        "CALL nd.system.scatter_nd(table => '%s', updates => 'SELECT 1L AS i0, 2L AS value',"
            + " batch_id => '%s')";
    List<ThrowingCallable> calls =
        List.of(
            () -> table.write().batchId(id),
            () -> TensorTable.open(spark, tensor).write().batchId(id),
            () -> spark.sql(EVENTS).writeTo(name).option("batch-id", id).append(),
            () -> spark.sql(call.formatted(tensor, id)));
    for (ThrowingCallable each : calls) {
      assertThatThrownBy(each)
          .hasStackTraceContaining("batch id '" + id + "' is empty or contains a comma");
    }
    assertThat(rows("SELECT * FROM " + name)).isEmpty();
    assertThat(rows("SELECT * FROM " + tensor)).isEmpty();
  }

  /** The batch would count again when it is sent again. */
  @Test
  void misspelledOptionsAreRefused() throws Exception {
    String table = users();
    for (String option : List.of("batch_id", "batchId", "validAt", "snapshot-properties.a")) {
      assertThatThrownBy(() -> spark.sql(EVENTS).writeTo(table).option(option, "monday").append())
          .as(option)
          .hasStackTraceContaining(
              "option '" + option + "' = 'monday' of a write into table " + table);
    }
    assertThat(rows("SELECT * FROM " + table)).isEmpty();
  }

  @Test
  void optionsOfSparkAndIcebergAreTaken() throws Exception {
    String table = users();
    spark.conf().set("spark.datasource.iceberg.split-size", "1000000");
    try {
      spark
          .sql(EVENTS)
          .write()
          .format("iceberg")
          .option("Batch-Id", "monday")
          .option("fanout-enabled", "true")
          .option("target-file-size-bytes", "1000000")
          .option("mergeSchema", "false")
          .option("checkpointLocation", "none")
          .option("partitionOverwriteMode", "dynamic")
          .mode("append")
          .save(table);
    } finally {
      spark.conf().unset("spark.datasource.iceberg.split-size");
    }
    assertThat(rows("SELECT sum(views) FROM " + table)).containsExactly("[6]");
    assertThat(summary(FeatureTable.open(spark, table)))
        .containsEntry("sparknd.batch-id", "monday");
  }

  @Test
  void statesAreNotInserted() {
    String table = users();
    assertThatThrownBy(
            () ->
                spark.sql(
                    "INSERT INTO "
                        + table
                        + " SELECT 'u1', 1L, now(), 'Oslo', array(1F, 1F), timestamp'2026-01-01'"))
        .hasStackTraceContaining("holds the state of variable city");
    spark.sql("INSERT INTO " + table + " SELECT 'u1', 1L, now(), 'Oslo', array(1F, 1F), NULL");
    assertThat(rows("SELECT count(*) FROM " + table)).containsExactly("[1]");
  }

  @Test
  void insertsUpdateATensor() {
    String name = name();
    TensorTable.create(spark, name, TensorSpec.of(DType.FLOAT32, Shape.of(100, 2)));
    String columns = String.join(", ", spark.table(name).columns());
    for (float value : new float[] {1, 2}) {
      spark.sql("INSERT INTO " + name + " (" + columns + ") SELECT 7, array(" + value + "F, 0F)");
    }
    assertThat(rows("SELECT * FROM " + name)).containsExactly("[7,ArraySeq(2.0, 0.0)]");
    assertThatThrownBy(() -> spark.sql("INSERT INTO " + name + " VALUES (100, array(1F, 1F))"))
        .hasStackTraceContaining("out of bounds");
  }

  @Test
  void insertsDoNotLoseColumnsThatOthersAdded() throws Exception {
    String name = name();
    TensorTable.create(spark, name, TensorSpec.of(DType.FLOAT32, Shape.of(100)));
    spark.sql("ALTER TABLE " + name + " ADD COLUMN note STRING");
    spark.sql("INSERT INTO " + name + " (i0, value) VALUES (7, 1F)");
    spark.sql("UPDATE " + name + " SET note = 'seven'");
    assertThatThrownBy(() -> spark.sql("INSERT INTO " + name + " VALUES (7, 2F, 'lost')"))
        .hasStackTraceContaining("column note, which is not of the tensor");
    spark.sql("INSERT INTO " + name + " VALUES (7, 3F, NULL)");
    spark
        .sql("SELECT 7L AS i0, 5F AS value, 'b' AS note UNION ALL SELECT 7, 4F, 'a'")
        .writeTo(name)
        .option("order-by", "note")
        .append();
    assertThat(rows("SELECT * FROM " + name)).containsExactly("[7,5.0,seven]");
  }
}
