/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparknd.sql.NdCatalog;
import io.sparknd.table.options.Retention;
import io.sparknd.table.options.TensorSpec;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.SparkNdException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.apache.commons.io.FileUtils;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerStageSubmitted;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.streaming.StreamingQuery;
import org.apache.spark.sql.streaming.Trigger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests Spark's own statements and streams on tables of a {@link TensorCatalog}. */
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

  private static String name() {
    return "nd_lake.shop.users" + TABLES.incrementAndGet();
  }

  private static String users() {
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

  private static List<String> rows(String query) {
    return spark.sql(query).collectAsList().stream().map(Row::toString).toList();
  }

  private static List<String> shown(String table) {
    return rows("SELECT user, views, city, taste FROM " + table + " ORDER BY user");
  }

  private static final String EVENTS =
      " SELECT * FROM VALUES ('u1', 1L, timestamp'2026-03-01', 'Oslo', array(1F, 2F)),"
          + " ('u2', 2L, timestamp'2026-03-02', 'Bern', array(0F, 1F)),"
          + " ('u1', 3L, timestamp'2026-02-01', 'Rome', array(1F, 1F))"
          + " AS e(user, views, seen, city, taste)";

  private static void insert(String table, String query) {
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
        .isInstanceOf(Exception.class);
    assertThatThrownBy(() -> spark.sql("ALTER TABLE " + table + " DROP COLUMN user"))
        .isInstanceOf(SparkNdException.class);
    for (String statement : List.of("DROP COLUMNS (taste, user)", "REPLACE COLUMNS (a INT)")) {
      assertThatThrownBy(() -> spark.sql("ALTER TABLE " + table + " " + statement))
          .isInstanceOf(Exception.class);
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
