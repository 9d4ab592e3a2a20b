/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparknd.sql.NdCatalog;
import io.sparknd.table.options.FeatureTableSpec;
import io.sparknd.table.options.Retention;
import io.sparknd.table.options.TensorSpec;
import io.sparknd.table.options.Variable;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.SparkNdException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.iceberg.TableUtil;
import org.apache.iceberg.spark.CommitMetadata;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests Spark's own statements on tables of a {@link TensorCatalog}. */
class TensorCatalogTest {
  private static final AtomicInteger TABLES = new AtomicInteger();
  private static SparkSession spark;

  @BeforeAll
  static void addCatalog() {
    spark = TestTables.spark();
    String catalog = "spark.sql.catalog.nd_lake";
    LocalCatalog.settings("nd_lake", TestTables.place().resolveSibling("nd-lake"))
        .forEach(spark.conf()::set);
    spark.conf().set(catalog, TensorCatalog.class.getName());
    spark.conf().set(catalog + ".warehouse", TestTables.place().resolve("nd").toUri().toString());
    spark.conf().set(catalog + ".uri", "jdbc:sqlite:" + TestTables.place().resolve("nd.db"));
    spark.conf().set("spark.sql.catalog.nd", NdCatalog.class.getName());
    spark.sql("CREATE NAMESPACE IF NOT EXISTS nd_lake.shop");
  }

  /** Of a property, the statement's value counts, then the catalog's default, then SparkND's. */
  @Test
  void tablesHaveTheDefaultsOfTheirCatalog() {
    LocalCatalog.settings("default_lake", TestTables.place().resolveSibling("default-lake"))
        .forEach(spark.conf()::set);
    String catalog = "spark.sql.catalog.default_lake";
    spark.conf().set(catalog, TensorCatalog.class.getName());
    spark.conf().set(catalog + ".warehouse", TestTables.place().resolve("defaults").toString());
    spark.conf().set(catalog + ".uri", "jdbc:sqlite:" + TestTables.place().resolve("defaults.db"));
    spark.conf().set(catalog + ".table-default.format-version", "2");
    spark.conf().set(catalog + ".table-default.write.parquet.compression-codec", "zstd");
    spark.conf().set(catalog + ".table-default.write.parquet.page-size-bytes", "65536");
    spark.sql("CREATE NAMESPACE IF NOT EXISTS default_lake.shop");
    String definition =
        "CREATE TABLE default_lake.shop.%s (k BIGINT NOT NULL, n BIGINT DEFAULT 0) USING iceberg"
            + " TBLPROPERTIES ('sparknd.key' = 'k', 'sparknd.variable.n.reduction' = 'add'%s)";
    spark.sql(definition.formatted("a", ""));
    spark.sql(definition.formatted("b", ", 'format-version' = '3'"));
    FeatureTable table = FeatureTable.open(spark, "default_lake.shop.a");
    assertThat(TableUtil.formatVersion(table.iceberg())).isEqualTo(2);
    assertThat(table.iceberg().properties())
        .containsEntry("write.parquet.compression-codec", "zstd")
        .containsEntry("write.parquet.page-size-bytes", "65536")
        .containsEntry("write.metadata.previous-versions-max", "20");
    assertThat(TableUtil.formatVersion(FeatureTable.open(spark, "default_lake.shop.b").iceberg()))
        .isEqualTo(3);
    TensorTable tensor =
        TensorTable.create(spark, "default_lake.shop.c", TensorSpec.of(DType.INT64, Shape.of(10)));
    assertThat(TableUtil.formatVersion(tensor.iceberg())).isEqualTo(2);
    for (int i = 0; i < 2; i++) {
      spark.sql("INSERT INTO default_lake.shop.a SELECT id, 1 FROM range(5)");
    }
    assertThat(table.toDataset().where("n = 2").count()).isEqualTo(5);
  }

  static String name() {
    return "nd_lake.shop.users" + TABLES.incrementAndGet();
  }

  static String users() {
    String name = name();
    spark.sql(
        "CREATE TABLE "
            + name
            + " (user STRING NOT NULL, views BIGINT DEFAULT 0 COMMENT 'pages seen', seen TIMESTAMP,"
            + " city STRING, taste ARRAY<FLOAT>) USING iceberg PARTITIONED BY (bucket(4, user))"
            + " TBLPROPERTIES ('sparknd.key' = 'user', 'sparknd.variable.views.reduction' = 'add',"
            + " 'sparknd.variable.seen.reduction' = 'max',"
            + " 'sparknd.variable.city.reduction' = 'last', 'sparknd.variable.city.order' = 'seen',"
            + " 'sparknd.variable.taste.shape' = '[2]',"
            + " 'sparknd.variable.taste.reduction' = 'add')");
    return name;
  }

  static List<String> rows(String query) {
    return spark.sql(query).collectAsList().stream().map(Row::toString).toList();
  }

  static List<String> shown(String table) {
    return rows("SELECT user, views, city, taste FROM " + table + " ORDER BY user");
  }

  static final String EVENTS =
      " SELECT * FROM VALUES ('u1', 1L, timestamp'2026-03-01', 'Oslo', array(1F, 2F)),"
          + " ('u2', 2L, timestamp'2026-03-02', 'Bern', array(0F, 1F)),"
          + " ('u1', 3L, timestamp'2026-02-01', 'Rome', array(1F, 1F))"
          + " AS e(user, views, seen, city, taste)";

  static void insert(String table, String query) {
    spark.sql("INSERT INTO " + table + " (user, views, seen, city, taste) " + query);
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

  @ParameterizedTest
  @ValueSource(
      strings = {
        "UPDATE %s SET views = 9",
        "MERGE INTO %s t USING (SELECT 'u1' AS user) s ON t.user = s.user"
            + " WHEN MATCHED THEN UPDATE SET views = 7"
      })
  void statementsOfIcebergNeedATimeThatIsOne(String statement) {
    String table = users();
    insert(table, EVENTS);
    String setting = "spark.sql.iceberg.snapshot-property.sparknd.valid-at";
    List<String> before = rows("SELECT * FROM " + table);
    spark.conf().set(setting, "2026-05-01");
    try {
      assertThatThrownBy(() -> spark.sql(statement.formatted(table)))
          .hasStackTraceContaining("snapshot-property.sparknd.valid-at '2026-05-01' is not a time");
      assertThat(rows("SELECT * FROM " + table)).isEqualTo(before);
      spark.conf().set(setting, "2026-05-01T02:00:00+02:00");
      spark.sql(statement.formatted(table));
    } finally {
      spark.conf().unset(setting);
    }
    assertThat(summary(FeatureTable.open(spark, table)))
        .containsEntry("sparknd.valid-at", "2026-05-01T02:00:00+02:00");
  }

  @Test
  void statementsOfIcebergAreIcebergs() {
    String table = users();
    insert(table, EVENTS);
    spark.sql("UPDATE " + table + " SET views = 100 WHERE user = 'u1'");
    spark.sql("DELETE FROM " + table + " WHERE user = 'u2'");
    spark.sql(
        "MERGE INTO "
            + table
            + " t USING (SELECT 'u9' AS user) s ON t.user = s.user"
            + " WHEN NOT MATCHED THEN INSERT (user, views) VALUES (s.user, 7)");
    insert(table, EVENTS);
    assertThat(rows("SELECT user, views FROM " + table + " ORDER BY user"))
        .containsExactly("[u1,104]", "[u2,2]", "[u9,7]");
    assertThat(spark.table(table + ".snapshots").count()).isEqualTo(5);
    org.apache.iceberg.Table iceberg = FeatureTable.open(spark, table).iceberg();
    iceberg.manageSnapshots().createBranch("test", iceberg.currentSnapshot().snapshotId()).commit();
    spark.sql("INSERT INTO " + table + ".branch_test (user, views) VALUES ('u1', 1)");
    assertThat(rows("SELECT views FROM " + table + ".branch_test WHERE user = 'u1'"))
        .containsExactly("[105]");
    assertThat(rows("SELECT views FROM " + table + " WHERE user = 'u1'")).containsExactly("[104]");
  }

  /** Iceberg drops the length. */
  @Test
  void lengthsOfStringsAreRefused() {
    String table = name();
    String create =
        "CREATE TABLE %s (user %s, code %s) USING iceberg TBLPROPERTIES ('sparknd.key' = 'user')";
    for (String columns :
        List.of(
            create.formatted(table, "VARCHAR(5)", "STRING"),
            create.formatted(table, "STRING", "VARCHAR(5)"),
            create.formatted(table, "STRING", "ARRAY<CHAR(5)>"))) {
      assertThatThrownBy(() -> spark.sql(columns))
          .as(columns)
          .isInstanceOf(SparkNdException.class)
          .hasMessageContaining("strings of an Iceberg table have no length");
    }
    FeatureTableSpec spec = FeatureTableSpec.keyedBy("user", "string");
    assertThatThrownBy(
            () -> FeatureTable.create(spark, table, spec.with(Variable.of("code", "varchar(5)"))))
        .isInstanceOf(SparkNdException.class)
        .hasMessageContaining("column code is varchar(5);")
        .hasMessageContaining("declare it as string,");
    assertThatThrownBy(
            () ->
                FeatureTable.create(
                    spark, table, spec.with(Variable.of("codes", "map<string, array<char(2)>>"))))
        .hasMessageContaining("declare it as map<string,array<string>>,");
    assertThatThrownBy(
            () ->
                FeatureTable.create(
                    spark,
                    table,
                    FeatureTableSpec.keyedBy("user", "char(3)").with(Variable.of("n", "bigint"))))
        .hasMessageContaining("column user is char(3);");
    spark.sql(create.formatted(table, "STRING NOT NULL", "STRING"));
    assertThatThrownBy(() -> spark.sql("ALTER TABLE " + table + " ADD COLUMN town VARCHAR(9)"))
        .isInstanceOf(SparkNdException.class)
        .hasMessageContaining("column town is varchar(9);");
  }

  @Test
  void propertiesOfMisspeltVariablesAreRefused() {
    FeatureTableSpec spec =
        FeatureTableSpec.keyedBy("user", "string").with(Variable.of("views", "bigint"));
    assertThatThrownBy(
            () ->
                FeatureTable.create(
                    spark, name(), spec.withProperty("sparknd.variable.vews.reduction", "add")))
        .isInstanceOf(SparkNdException.class)
        .hasMessageContaining("has no variable vews; its variables are [user, views]");
  }

  /** Iceberg drops the collation, so that 'U1' and 'u1' would be two keys. */
  @Test
  void collationsAreRefused() {
    String table = name();
    String create =
        "CREATE TABLE %s (user %s, city %s) USING iceberg TBLPROPERTIES ('sparknd.key' = 'user')";
    String collated = "STRING COLLATE UTF8_LCASE";
    for (String columns :
        List.of(
            create.formatted(table, collated, "STRING"),
            create.formatted(table, "STRING", collated),
            create.formatted(table, "STRING", "STRUCT<a: MAP<STRING, ARRAY<" + collated + ">>>"))) {
      assertThatThrownBy(() -> spark.sql(columns))
          .as(columns)
          .isInstanceOf(SparkNdException.class)
          .hasMessageContaining("string collate UTF8_LCASE")
          .hasMessageContaining("an Iceberg table has no collations");
    }
    spark.sql(create.formatted(table, "STRING NOT NULL", "STRING COLLATE UTF8_BINARY"));
    assertThatThrownBy(() -> spark.sql("ALTER TABLE " + table + " ADD COLUMN town " + collated))
        .isInstanceOf(SparkNdException.class)
        .hasMessageContaining("column town is string collate UTF8_LCASE;")
        .hasMessageContaining("declare it as string");
    assertThat(FeatureTable.open(spark, table).variables()).containsExactly("city");
  }

  @Test
  void overwritingIsRefused() {
    String table = users();
    insert(table, EVENTS);
    for (String statement :
        List.of(
            "INSERT OVERWRITE " + table + " SELECT * FROM " + table,
            "INSERT INTO " + table + " REPLACE WHERE user = 'u1' SELECT * FROM " + table)) {
      assertThatThrownBy(() -> spark.sql(statement)).hasMessageContaining("DELETE the old rows");
    }
    assertThatThrownBy(
            () ->
                spark.sql(
                    "CREATE TABLE "
                        + name()
                        + " USING iceberg TBLPROPERTIES ('sparknd.key' = 'user') AS"
                        + EVENTS))
        .hasMessageContaining("then INSERT");
    assertThat(rows("SELECT count(*) FROM " + table)).containsExactly("[2]");
  }

  @Test
  void definitionsAreChecked() {
    for (List<String> wrong :
        List.of(
            List.of("(a STRING) USING iceberg TBLPROPERTIES ('sparknd.key' = 'b')", "names b"),
            List.of(
                "(a STRING, v INT NOT NULL) USING iceberg TBLPROPERTIES ('sparknd.key' = 'a')",
                "NOT NULL"),
            List.of(
                "(a STRING, v INT) USING iceberg PARTITIONED BY (v)"
                    + " TBLPROPERTIES ('sparknd.key' = 'a')",
                "bucket(N, COLUMN)"),
            List.of(
                "(a STRING, v STRING) USING iceberg TBLPROPERTIES ('sparknd.key' = 'a',"
                    + " 'sparknd.variable.v.reduction' = 'mean')",
                "mean"),
            List.of(
                "(a STRING, v INT) USING iceberg TBLPROPERTIES ('sparknd.key' = 'a',"
                    + " 'sparknd.variable.w.reduction' = 'add')",
                "has no variable w"),
            List.of("(a STRING) USING orc TBLPROPERTIES ('sparknd.key' = 'a')", "USING iceberg"),
            List.of(
                "(a STRING, v BINARY DEFAULT X'FF00') USING iceberg"
                    + " TBLPROPERTIES ('sparknd.key' = 'a')",
                "X'FF00', which is no UTF-8 text"),
            List.of("(a STRING, v INT DEFAULT 3) USING iceberg", "DEFAULT"))) {
      String name = name();
      assertThatThrownBy(() -> spark.sql("CREATE TABLE " + name + wrong.get(0)))
          .hasMessageContaining(wrong.get(1));
      assertThat(spark.catalog().tableExists(name)).isFalse();
    }
  }

  /** Iceberg's catalog would drop the default without a word. */
  @Test
  void tablesThatAreReplacedHaveNoDefaults() {
    String name = name();
    String columns = " (id BIGINT, v INT DEFAULT 5) USING iceberg";
    assertThatThrownBy(() -> spark.sql("CREATE OR REPLACE TABLE " + name + columns))
        .hasMessageContaining("column v has a DEFAULT");
    assertThat(spark.catalog().tableExists(name)).isFalse();
    spark.sql("CREATE OR REPLACE TABLE " + name + " (id BIGINT) USING iceberg");
    assertThatThrownBy(() -> spark.sql("REPLACE TABLE " + name + columns))
        .hasMessageContaining("column v has a DEFAULT");
    assertThat(spark.table(name).columns()).containsExactly("id");
  }

  @Test
  void defaultsOfBytesThatAreTextFillRows() {
    String name = name();
    spark.sql(
        "CREATE TABLE "
            + name
            + " (id BIGINT NOT NULL, n INT, v BINARY DEFAULT X'C3A9') USING iceberg"
            + " TBLPROPERTIES ('sparknd.key' = 'id')");
    spark.sql("INSERT INTO " + name + " (id, n) VALUES (1, 2)");
    assertThat(rows("SELECT hex(v) FROM " + name)).containsExactly("[C3A9]");
  }

  @Test
  void columnsComeAndGo() {
    String table = users();
    insert(table, EVENTS);
    spark.sql("ALTER TABLE " + table + " ADD COLUMN likes BIGINT DEFAULT 3 COMMENT 'of a user'");
    spark.sql(
        "ALTER TABLE " + table + " SET TBLPROPERTIES ('sparknd.variable.likes.reduction' = 'add')");
    spark.sql("INSERT INTO " + table + " (user, likes) VALUES ('u1', 1), ('u1', 1)");
    assertThat(rows("SELECT user, likes FROM " + table + " ORDER BY user"))
        .containsExactly("[u1,5]", "[u2,3]");
    spark.sql("ALTER TABLE " + table + " RENAME COLUMN likes TO hearts");
    spark.sql("INSERT INTO " + table + " (user, hearts) VALUES ('u1', 1)");
    assertThat(rows("SELECT hearts FROM " + table + " WHERE user = 'u1'")).containsExactly("[6]");
    spark.sql("ALTER TABLE " + table + " DROP COLUMN hearts");
    assertThat(FeatureTable.open(spark, table).variables())
        .containsExactly("views", "seen", "city", "taste");
    assertThat(FeatureTable.open(spark, table).iceberg().properties().keySet())
        .noneMatch(property -> property.contains("hearts"));
  }

  /** Others leave the properties of columns that they drop. */
  @Test
  void addedColumnsHaveNoPropertiesOfDroppedOnes() {
    String table = users();
    insert(table, EVENTS);
    FeatureTable.open(spark, table).iceberg().updateSchema().deleteColumn("views").commit();
    spark.sql("REFRESH TABLE " + table);
    spark.sql("ALTER TABLE " + table + " ADD COLUMN views BIGINT");
    spark.sql("INSERT INTO " + table + " (user, views) VALUES ('u1', 5)");
    spark.sql("INSERT INTO " + table + " (user, views) VALUES ('u1', 7)");
    assertThat(rows("SELECT user, views FROM " + table + " ORDER BY user"))
        .containsExactly("[u1,7]", "[u2,null]");
    assertThat(FeatureTable.open(spark, table).iceberg().properties().keySet())
        .noneMatch(property -> property.contains("views"));
  }

  @Test
  void rowsOfAnAddedColumnAloneHaveFillValues() {
    String table = users();
    spark.sql("ALTER TABLE " + table + " ADD COLUMN likes BIGINT DEFAULT 3");
    spark.sql("INSERT INTO " + table + " (user, likes) VALUES ('u', 4)");
    assertThat(rows("SELECT views, city, likes FROM " + table)).containsExactly("[0,null,4]");
    spark.sql("INSERT INTO " + table + " (user, views) VALUES ('u', 5), ('v', 1)");
    assertThat(rows("SELECT user, views, likes FROM " + table + " ORDER BY user"))
        .containsExactly("[u,5,4]", "[v,1,3]");
  }

  @Test
  void aDefaultMayBeNull() {
    String table = name();
    spark.sql(
        "CREATE TABLE "
            + table
            + " (user STRING NOT NULL, views BIGINT DEFAULT NULL) USING iceberg"
            + " TBLPROPERTIES ('sparknd.key' = 'user')");
    spark.sql("ALTER TABLE " + table + " ADD COLUMN likes BIGINT DEFAULT NULL");
    spark.sql("INSERT INTO " + table + " (user, views) VALUES ('u', 1)");
    assertThat(rows("SELECT * FROM " + table)).containsExactly("[u,1,null]");
  }

  @Test
  void aDefaultOfATimestampIsAnInstant() {
    String table = name();
    String zone = spark.conf().get("spark.sql.session.timeZone");
    spark.conf().set("spark.sql.session.timeZone", "Asia/Tokyo");
    spark.sql(
        "CREATE TABLE "
            + table
            + " (user STRING NOT NULL, seen TIMESTAMP DEFAULT TIMESTAMP'1969-12-31 09:00:00.5')"
            + " USING iceberg TBLPROPERTIES ('sparknd.key' = 'user')");
    spark.conf().set("spark.sql.session.timeZone", zone);
    Dataset<Row> found =
        FeatureTable.open(spark, table).gather(spark.sql("SELECT 'u' AS user"), List.of("user"));
    assertThat(found.selectExpr("unix_millis(seen)").first().getLong(0)).isEqualTo(-86_399_500L);
  }

  @Test
  void declarationsAreChecked() {
    String table = users();
    insert(table, EVENTS);
    String set = "ALTER TABLE " + table + " SET TBLPROPERTIES ";
    for (List<String> wrong :
        List.of(
            List.of("('sparknd.key' = 'city')", "is fixed"),
            List.of("('sparknd.variable.veiws.reduction' = 'max')", "has no variable veiws"),
            List.of("('sparknd.variable.views.redaction' = 'max')", "OPTION"),
            List.of("('sparknd.variable.views.reduction' = 'most')", "unknown"),
            List.of("('sparknd.variable.views.fill' = 'none')", "fill"),
            List.of("('sparknd.variable.city.order' = 'views')", "has values"))) {
      assertThatThrownBy(() -> spark.sql(set + wrong.get(0))).hasMessageContaining(wrong.get(1));
    }
    assertThatThrownBy(() -> spark.sql("ALTER TABLE " + table + " ALTER COLUMN views TYPE DOUBLE"))
        .hasMessageContaining("the type of column views of feature table")
        .hasMessageContaining("cannot change");
    assertThatThrownBy(() -> spark.sql("ALTER TABLE " + table + " DROP COLUMN user"))
        .isInstanceOf(SparkNdException.class);
    for (String statement : List.of("DROP COLUMNS (taste, user)", "REPLACE COLUMNS (a INT)")) {
      assertThatThrownBy(() -> spark.sql("ALTER TABLE " + table + " " + statement))
          .as(statement)
          .isInstanceOf(SparkNdException.class);
      assertThat(FeatureTable.open(spark, table).variables())
          .containsExactly("views", "seen", "city", "taste");
    }
    spark.sql(set + "('sparknd.variable.views.reduction' = 'max', 'owner.team' = 'search')");
    insert(table, EVENTS);
    assertThat(rows("SELECT user, views FROM " + table + " ORDER BY user"))
        .containsExactly("[u1,4]", "[u2,2]");
    assertThat(FeatureTable.open(spark, table).iceberg().properties())
        .containsEntry("owner.team", "search");
  }

  /** Values that exist are read as the wider type, and the next ones are written as such. */
  @Test
  void variablesAreWidened() {
    String table = name();
    spark.sql(
        "CREATE TABLE "
            + table
            + " (user INT NOT NULL, views INT DEFAULT 0, weight FLOAT, price DECIMAL(5, 2), half"
            + " FLOAT, plain INT, best STRING) USING iceberg TBLPROPERTIES ('sparknd.key' ="
            + " 'user', 'sparknd.variable.views.reduction' = 'add', 'sparknd.variable.views.dtype'"
            + " = 'int32', 'sparknd.variable.weight.reduction' = 'add',"
            + " 'sparknd.variable.price.reduction' = 'add', 'sparknd.variable.half.dtype' ="
            + " 'bfloat16', 'sparknd.variable.best.reduction' = 'last',"
            + " 'sparknd.variable.best.order' = 'plain')");
    spark.sql(
        "INSERT INTO "
            + table
            + " (user, views, weight, price, half, plain, best) VALUES (1, 2147483647, 0.5, 999.99,"
            + " 1, 1, 'a')");
    String alter = "ALTER TABLE " + table + " ALTER COLUMN ";
    for (String refused :
        List.of("user TYPE BIGINT", "half TYPE DOUBLE", "plain TYPE BIGINT", "views TYPE DOUBLE")) {
      assertThatThrownBy(() -> spark.sql(alter + refused))
          .as(refused)
          .hasMessageContaining("cannot change in this way");
    }
    spark.sql(alter + "views TYPE BIGINT");
    spark.sql(alter + "weight TYPE DOUBLE");
    spark.sql(alter + "price TYPE DECIMAL(7, 2)");
    for (int i = 0; i < 2; i++) {
      spark.sql(
          "INSERT INTO "
              + table
              + " (user, views, weight, price) VALUES (1, 1, 1e300, 0.01), (2, 1, 1, 1)");
    }
    spark.sql("ALTER TABLE " + table + " SET TBLPROPERTIES ('sparknd.variable.views.fill' = '7')");
    Dataset<Row> found =
        FeatureTable.open(spark, table)
            .gather(spark.sql("SELECT id AS user FROM VALUES 1, 2, 3 AS v(id)"), List.of("user"))
            .select("user", "views", "weight", "price", "best")
            .orderBy("user");
    assertThat(found.collectAsList())
        .extracting(Row::toString)
        .containsExactly(
            "[1,2147483649,2.0E300,1000.01,a]", "[2,2,2.0,2.00,null]", "[3,7,null,null,null]");
    assertThat(FeatureTable.open(spark, table).iceberg().properties())
        .containsEntry("sparknd.variable.views.stored", "int64");
  }

  @Test
  void misspeltPropertiesThatOthersSetMayBeUnset() {
    String table = users();
    String misspelt = "sparknd.variable.seen.reducton";
    FeatureTable.open(spark, table).iceberg().updateProperties().set(misspelt, "min").commit();
    spark.sql("REFRESH TABLE " + table);
    assertThatThrownBy(() -> insert(table, EVENTS))
        .hasStackTraceContaining("the nearest that it knows is sparknd.variable.seen.reduction");
    String alter = "ALTER TABLE " + table + " ";
    for (String change :
        List.of(
            "SET TBLPROPERTIES ('sparknd.variable.seen.reduction' = 'min')",
            "UNSET TBLPROPERTIES ('" + misspelt + "', 'sparknd.variable.city.order')")) {
      assertThatThrownBy(() -> spark.sql(alter + change)).isInstanceOf(SparkNdException.class);
    }
    assertThatThrownBy(() -> spark.sql(alter + "SET TBLPROPERTIES ('sparknd.format' = '2')"))
        .isInstanceOf(SparkNdException.class);
    spark.sql(alter + "UNSET TBLPROPERTIES ('" + misspelt + "')");
    insert(table, EVENTS);
    assertThatThrownBy(() -> spark.sql(alter + "SET TBLPROPERTIES ('sparknd.format' = '2')"))
        .hasMessageContaining("is fixed");
  }

  private static String slices() {
    String table = name();
    spark.sql(
        "CREATE TABLE "
            + table
            + " (user STRING NOT NULL, taste ARRAY<FLOAT>, code BINARY) USING iceberg"
            + " TBLPROPERTIES ('sparknd.key' = 'user', 'sparknd.variable.taste.shape' = '[2]',"
            + " 'sparknd.variable.code.dtype' = 'int64', 'sparknd.variable.code.shape' = '[ 1 ]')");
    spark.sql(
        "ALTER TABLE "
            + table
            + " SET TBLPROPERTIES ('sparknd.variable.code.dtype' = 'int32',"
            + " 'sparknd.variable.code.shape' = '[1,2]')");
    spark.sql("INSERT INTO " + table + " VALUES ('u', array(1F, 2F), X'0100000002000000')");
    return table;
  }

  /** Bytes would be read as other numbers, without an error. */
  @Test
  void dtypeAndShapeOfValuesAreFixed() {
    String table = slices();
    for (List<String> wrong :
        List.of(
            List.of("SET TBLPROPERTIES ('%s.taste.shape' = '[3]')", "float32[2]", "float32[3]"),
            List.of("SET TBLPROPERTIES ('%s.taste.dtype' = 'float16')", "float32[2]", "float16[2]"),
            List.of("SET TBLPROPERTIES ('%s.code.dtype' = 'float32')", "int32[1, 2]", "float32[1,"),
            List.of("SET TBLPROPERTIES ('%s.code.shape' = '[2]')", "int32[1, 2]", "int32[2]"),
            List.of("UNSET TBLPROPERTIES ('%s.taste.shape')", "float32[2]", "array<float>"))) {
      String change = wrong.get(0).formatted("sparknd.variable");
      assertThatThrownBy(() -> spark.sql("ALTER TABLE " + table + " " + change))
          .isInstanceOf(SparkNdException.class)
          .hasMessageContaining("has values of " + wrong.get(1))
          .hasMessageContaining("would be read as " + wrong.get(2));
    }
    String record = "SET TBLPROPERTIES ('sparknd.variable.code.stored' = 'float32[2]')";
    assertThatThrownBy(() -> spark.sql("ALTER TABLE " + table + " " + record))
        .hasMessageContaining("is fixed");
    spark.sql("INSERT INTO " + table + " (user, code) VALUES ('v', X'0300000004000000')");
    assertThat(rows("SELECT user, taste, hex(code) FROM " + table + " ORDER BY user"))
        .containsExactly("[u,ArraySeq(1.0, 2.0),0100000002000000]", "[v,null,0300000004000000]");
  }

  /** Earlier snapshots are read with the properties of now. */
  @Test
  void dtypesAreFixedUntilSnapshotsWithValuesExpire() {
    String table = slices();
    FeatureTable.open(spark, table).evict("true");
    String change =
        "ALTER TABLE " + table + " SET TBLPROPERTIES ('sparknd.variable.code.dtype' = 'float32')";
    assertThatThrownBy(() -> spark.sql(change)).hasMessageContaining("has values of int32[1, 2]");
    FeatureTable.open(spark, table).expire(Retention.of(Duration.ZERO));
    spark.sql(change);
    spark.sql("INSERT INTO " + table + " (user, code) VALUES ('v', X'0000803F00000040')");
    assertThat(
            FeatureTable.open(spark, table)
                .gather(spark.sql("SELECT 'v' AS user"), List.of("user"), "code")
                .first()
                .get(1))
        .isEqualTo(new byte[] {0, 0, (byte) 0x80, 0x3f, 0, 0, 0, 0x40});
  }

  @Test
  void dtypesThatOthersDeclareAnewAreNoticed() throws Exception {
    String table = slices();
    String property = "sparknd.variable.code.dtype";
    FeatureTable.open(spark, table).iceberg().updateProperties().set(property, "float32").commit();
    spark.sql("REFRESH TABLE " + table);
    String insert = "INSERT INTO " + table + " (user, code) VALUES ('v', X'0300000004000000')";
    String gather = "SELECT * FROM gather_nd(TABLE(" + table + "), TABLE(SELECT 'u' AS user))";
    for (String statement : List.of(insert, gather, "ALTER TABLE " + table + " DROP COLUMN code")) {
      assertThatThrownBy(() -> spark.sql(statement).collect())
          .hasStackTraceContaining("variable code of table " + table + " are float32[1, 2]")
          .hasStackTraceContaining("and int32[1, 2] by its values: set " + property);
    }
    spark.sql("ALTER TABLE " + table + " SET TBLPROPERTIES ('" + property + "' = 'int32')");
    spark.sql(insert);
    assertThat(rows(gather)).hasSize(1);
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

  /** The catalog knows the record, and lets through what only sets the properties back. */
  @Test
  void changedPropertiesOfATensorAreSetBack() {
    String name = name();
    TensorTable.create(spark, name, TensorSpec.of(DType.FLOAT32, Shape.of(100, 2)));
    TensorTable.open(spark, name)
        .iceberg()
        .updateProperties()
        .set("sparknd.dtype", "bfloat16")
        .set("sparknd.shape", "[100, 1]")
        .commit();
    String alter = "ALTER TABLE " + name + " SET TBLPROPERTIES (";
    for (String wrong :
        List.of(
            "'sparknd.dtype' = 'float32')",
            "'sparknd.dtype' = 'float32', 'sparknd.shape' = '[50, 2]')",
            "'sparknd.dtype' = 'float32', 'sparknd.shape' = '[100, 2]', 'a' = 'b')")) {
      assertThatThrownBy(() -> spark.sql(alter + wrong)).isInstanceOf(SparkNdException.class);
    }
    spark.sql(alter + "'sparknd.dtype' = 'float32', 'sparknd.shape' = '[100, 2]')");
    spark.sql("INSERT INTO " + name + " VALUES (7, array(1F, 2F))");
    assertThat(rows("SELECT * FROM " + name)).containsExactly("[7,ArraySeq(1.0, 2.0)]");
    assertThatThrownBy(() -> spark.sql(alter + "'sparknd.stored' = 'bfloat16')"))
        .hasMessageContaining("is fixed");
  }

  @Test
  void recordsOfExpiredSnapshotsAreNotChanged() {
    String tensor = name();
    TensorTable.create(spark, tensor, TensorSpec.of(DType.FLOAT32, Shape.of(100, 2)));
    String features = name();
    spark.sql(
        "CREATE TABLE "
            + features
            + " (user STRING NOT NULL, views BIGINT) USING iceberg TBLPROPERTIES"
            + " ('sparknd.key' = 'user')");
    for (String table : List.of(tensor, features)) {
      for (String property : List.of("sparknd.batch-history.7", "sparknd.valid-through.7")) {
        for (String change :
            List.of("UNSET TBLPROPERTIES ('%s')", "SET TBLPROPERTIES ('%s' = '')")) {
          String alter = "ALTER TABLE " + table + " " + String.format(change, property);
          assertThatThrownBy(() -> spark.sql(alter))
              .hasMessageContaining("records a snapshot that expired");
        }
      }
      spark.sql("ALTER TABLE " + table + " SET TBLPROPERTIES ('other.property' = '1')");
    }
  }

  @Test
  void axesGrowByAProperty() {
    String tensor = name();
    TensorTable.create(spark, tensor, TensorSpec.of(DType.FLOAT32, Shape.of(100, 2)));
    spark.sql("ALTER TABLE " + tensor + " SET TBLPROPERTIES ('sparknd.shape' = '[200, 2]')");
    spark.sql("INSERT INTO " + tensor + " VALUES (150, array(1F, 1F))");
    assertThat(TensorTable.open(spark, tensor).shape()).isEqualTo(Shape.of(200, 2));
    for (List<String> wrong :
        List.of(
            List.of("SET TBLPROPERTIES ('sparknd.shape' = '[150, 2]')", "150"),
            List.of("SET TBLPROPERTIES ('sparknd.shape' = '[200, 3]')", "first dimension"),
            List.of("SET TBLPROPERTIES ('sparknd.shape' = '[300, 2]', 'a' = 'b')", "another"),
            List.of("SET TBLPROPERTIES ('sparknd.dtype' = 'int32')", "is fixed"),
            List.of("DROP COLUMN value", "holds the tensor"))) {
      assertThatThrownBy(() -> spark.sql("ALTER TABLE " + tensor + " " + wrong.get(0)))
          .hasMessageContaining(wrong.get(1));
    }
    String numbered = name();
    spark.sql(
        "CREATE TABLE "
            + numbered
            + " (id BIGINT NOT NULL, views BIGINT) USING iceberg TBLPROPERTIES"
            + " ('sparknd.key' = 'id', 'sparknd.size' = '10',"
            + " 'sparknd.variable.views.reduction' = 'add')");
    spark.sql("ALTER TABLE " + numbered + " SET TBLPROPERTIES ('sparknd.size' = '20')");
    spark.sql("INSERT INTO " + numbered + " VALUES (19, 1), (19, 2)");
    assertThat(rows("SELECT * FROM " + numbered)).containsExactly("[19,3]");
    assertThatThrownBy(() -> spark.sql("INSERT INTO " + numbered + " VALUES (20, 1)"))
        .hasStackTraceContaining("out of bounds");
  }

  @Test
  void otherTablesAreIcebergs() throws Exception {
    String name = name();
    spark.sql("CREATE TABLE " + name + " USING iceberg AS SELECT 1 AS a");
    spark.sql("INSERT OVERWRITE " + name + " SELECT 2");
    spark.range(1).selectExpr("3 AS a").writeTo(name).append();
    assertThat(rows("SELECT a FROM " + name + " ORDER BY a")).containsExactly("[2]", "[3]");
  }

  /** Iceberg keeps the properties of a table that is replaced, which name columns that are gone. */
  @Test
  void aReplacedTableIsNoTensorAndHasNoVariables() {
    String tensor = name();
    TensorTable.create(
        spark, tensor, TensorSpec.of(DType.INT64, Shape.of(4)).withProperty("owner.team", "ads"));
    for (String table : List.of(users(), tensor, name())) {
      spark.sql(
          "CREATE OR REPLACE TABLE "
              + table
              + " USING iceberg TBLPROPERTIES ('sparknd.note' = 'x') AS SELECT 1 AS a");
      spark.sql("INSERT INTO " + table + " VALUES (1)");
      assertThat(rows("SELECT * FROM " + table)).containsExactly("[1]", "[1]");
      assertThat(spark.sql("SHOW TBLPROPERTIES " + table).where("key LIKE 'sparknd.%'").count())
          .isEqualTo(1);
    }
    assertThat(rows("SHOW TBLPROPERTIES " + tensor)).contains("[owner.team,ads]");
    spark.sql("REPLACE TABLE " + tensor + " (b INT) USING iceberg");
    assertThat(rows("SHOW TBLPROPERTIES " + tensor)).noneMatch(row -> row.contains("sparknd"));
  }

  @Test
  void proceduresOfIcebergAreIcebergs(@TempDir Path folder) {
    String table = name();
    spark.sql(
        "CREATE TABLE "
            + table
            + " (user STRING NOT NULL, views BIGINT) USING iceberg LOCATION '"
            + folder.resolve("users").toUri()
            + "' TBLPROPERTIES ('sparknd.key' = 'user', 'sparknd.variable.views.reduction' = 'add')");
    for (int i = 0; i < 3; i++) {
      spark.sql("INSERT INTO " + table + " VALUES ('u" + i % 2 + "', 1), ('u2', 1)");
    }
    assertThat(folder.resolve("users")).isDirectoryContaining("glob:**/data");
    spark.sql(
        "CALL nd_lake.system.rewrite_data_files(table => '"
            + table
            + "', options => map('rewrite-all', 'true'))");
    spark.sql("CALL nd.system.compact('" + table + "')");
    spark.sql("INSERT INTO " + table + " VALUES ('u2', 1)");
    assertThat(rows("SELECT * FROM " + table + " ORDER BY user"))
        .containsExactly("[u0,2]", "[u1,1]", "[u2,4]");
    spark.sql("DROP TABLE " + table);
  }

  @Test
  void tableFunctionsKnowTheTables() {
    String table = users();
    insert(table, EVENTS);
    assertThat(
            rows(
                "SELECT views, city FROM gather_nd(TABLE("
                    + table
                    + "), TABLE(SELECT 'u2' AS user))"))
        .containsExactly("[2,Bern]");
  }
}
