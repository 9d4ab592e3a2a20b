/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.cluster.internal.spark.ClassicSpark;
import io.sparknd.cluster.options.TensorColumns;
import io.sparknd.op.Scatter;
import io.sparknd.table.options.TensorSpec;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.iceberg.Table;
import org.apache.iceberg.expressions.Expressions;
import org.apache.iceberg.spark.Spark3Util;
import org.apache.iceberg.spark.SparkCatalog;
import org.apache.iceberg.types.Types;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.analysis.NoSuchTableException;
import org.apache.spark.sql.catalyst.parser.ParseException;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.adaptive.AdaptiveSparkPlanExec;
import org.apache.spark.sql.execution.adaptive.QueryStageExec;
import org.apache.spark.sql.execution.datasources.v2.BatchScanExec;
import org.apache.spark.sql.execution.metric.SQLMetric;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import scala.jdk.javaapi.CollectionConverters;

/** Tables with lists have the rows that Iceberg itself reads, and are read in batches. */
class ColumnarScanTest {
  private static final AtomicInteger TABLES = new AtomicInteger();

  /** Small row groups and pages, so that rows of a batch are in several. */
  private static final String SMALL =
      "'sparknd.test' = '1', 'write.parquet.row-group-size-bytes' = '20000',"
          + " 'write.parquet.row-group-check-min-record-count' = '20',"
          + " 'write.parquet.row-group-check-max-record-count' = '20',"
          + " 'write.parquet.page-size-bytes' = '600', 'write.parquet.page-row-limit' = '70'";

  private static final String COLUMNS =
      "k STRING NOT NULL, flags ARRAY<BOOLEAN>, ints ARRAY<INT>, longs ARRAY<BIGINT>,"
          + " floats ARRAY<FLOAT>, doubles ARRAY<DOUBLE>, nested ARRAY<ARRAY<FLOAT>>,"
          + " deep ARRAY<ARRAY<ARRAY<INT>>>, texts ARRAY<STRING>, days ARRAY<DATE>,"
          + " times ARRAY<TIMESTAMP>, prices ARRAY<DECIMAL(30, 3)>, a BOOLEAN, b INT, c BIGINT,"
          + " d FLOAT, e DOUBLE, f DATE, g TIMESTAMP, h TIMESTAMP_NTZ, i STRING, j BINARY,"
          + " l DECIMAL(9, 2), m DECIMAL(18, 4), n DECIMAL(38, 6)";

  /** Rows with NULL lists, NULL elements, empty lists, and lists of other lengths. */
  private static final String ROWS =
      "SELECT concat('k', id), transform(s, x -> x % 2 = 0), transform(s, x -> int(x * id)),"
          + " transform(s, x -> x * id), if(id % 7 = 3, NULL, transform(s, x -> float(x + id))),"
          + " transform(s, x -> if(id % 5 = 1 AND x = 2, NULL, double(x) / (id + 1))),"
          + " if(id % 11 = 4, NULL, transform(s, x -> if(x = 1 AND id % 3 = 0, NULL,"
          + " transform(slice(s, 1, int(x)), y -> if(y = 3, NULL, float(y * id)))))),"
          + " transform(s, x -> transform(s, y -> slice(transform(s, z -> int(z)), 1, int(y)))),"
          + " transform(s, x -> repeat('é', int(x))), transform(s, x -> date_add(DATE'2026-01-01',"
          + " int(id))), transform(s, x -> timestamp_micros(id * 1000 + x)),"
          + " transform(s, x -> decimal(id) / 8), if(id % 2 = 0, NULL, id % 3 = 0), int(id),"
          + " if(id % 9 = 0, NULL, id * 10000000000), float(id) / 3, double(id) / 7,"
          + " date_add(DATE'2026-01-01', int(id)), timestamp_micros(id), TIMESTAMP_NTZ'2026-01-01',"
          + " if(id % 4 = 0, NULL, repeat('x', int(id % 6))), unhex(hex(id)), id / 8, -id / 16,"
          + " id * 1.5 FROM (SELECT id, IF(id % 13 = 0, array(), sequence(1L, IF(id % 17 = 0, 5L,"
          + " 3L))) AS s FROM range(FIRST, LAST, 1, 1))";

  /** Reads as SparkND does, through {@link TensorCatalog}, and as Iceberg itself does. */
  private static SparkSession fast;

  private static SparkSession catalog;
  private static SparkSession plain;

  @BeforeAll
  static void sessions() {
    fast = TestTables.spark();
    catalog = session(TensorCatalog.class);
    plain = session(SparkCatalog.class);
    fast.sql("CREATE NAMESPACE IF NOT EXISTS lake.scans");
  }

  private static SparkSession session(Class<?> of) {
    SparkSession session = TestTables.spark().newSession();
    LocalCatalog.settings("lake", TestTables.place()).forEach(session.conf()::set);
    session.conf().set("spark.sql.catalog.lake", of.getName());
    return session;
  }

  private static String name() {
    return "lake.scans.t" + TABLES.incrementAndGet();
  }

  private static String create(String columns, String properties, String... partitions) {
    String name = name();
    String by =
        partitions.length == 0 ? "" : " PARTITIONED BY (" + String.join(", ", partitions) + ")";
    fast.sql(
        "CREATE TABLE "
            + name
            + " ("
            + columns
            + ") USING iceberg"
            + by
            + " TBLPROPERTIES ("
            + properties
            + ")");
    return name;
  }

  private static Table iceberg(String table) {
    try {
      return Spark3Util.loadIcebergTable(fast, table);
    } catch (ParseException | NoSuchTableException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void insert(String table, int from, int to) {
    String range = ROWS.replace("FIRST", "" + from).replace("LAST", "" + to);
    fast.sql("INSERT INTO " + table + " " + range);
  }

  private static List<String> rows(Dataset<Row> of) {
    return of.toJSON().collectAsList().stream().sorted().toList();
  }

  /** Checks that a query has the same rows in both forms. */
  private static void areSame(SparkSession session, String query, boolean isColumnar) {
    areSame(session, of -> of.sql(query), isColumnar);
  }

  private static void areSame(
      SparkSession session, Function<SparkSession, Dataset<Row>> query, boolean isColumnar) {
    Dataset<Row> read = withSameRows(session, query);
    assertThat(isColumnar(read)).isEqualTo(isColumnar);
    if (isColumnar) {
      assertThat(batchedSplits(read)).as("not copies of rows that Iceberg read").isPositive();
    }
  }

  private static Dataset<Row> withSameRows(
      SparkSession session, Function<SparkSession, Dataset<Row>> query) {
    Dataset<Row> read = query.apply(session);
    Dataset<Row> expected = query.apply(plain);
    assertThat(read.schema()).isEqualTo(expected.schema());
    assertThat(rows(read)).isEqualTo(rows(expected)).isNotEmpty();
    return read;
  }

  /** Runs a query; returns the splits of files that were read in batches. */
  private static long batchedSplits(Dataset<Row> query) {
    query.collectAsList();
    return scans(ClassicSpark.of(query).queryExecution().executedPlan())
        .flatMap(
            scan ->
                CollectionConverters.asJava(scan.metrics().get("numBatchedSplits").toList())
                    .stream())
        .mapToLong(SQLMetric::value)
        .sum();
  }

  private static boolean isColumnar(Dataset<Row> query) {
    List<BatchScanExec> scans =
        scans(ClassicSpark.of(query).queryExecution().executedPlan()).toList();
    assertThat(scans).isNotEmpty();
    return scans.stream().anyMatch(BatchScanExec::supportsColumnar);
  }

  private static Stream<BatchScanExec> scans(SparkPlan plan) {
    if (plan instanceof AdaptiveSparkPlanExec adaptive) {
      return scans(adaptive.executedPlan());
    }
    if (plan instanceof QueryStageExec stage) {
      return scans(stage.plan());
    }
    return plan instanceof BatchScanExec scan
        ? Stream.of(scan)
        : CollectionConverters.asJava(plan.children()).stream().flatMap(ColumnarScanTest::scans);
  }

  @Test
  void valuesOfAllTypesAndEncodingsAreRead() {
    String table = create(COLUMNS, SMALL);
    insert(table, 0, 300);
    fast.sql("ALTER TABLE " + table + " SET TBLPROPERTIES ('write.parquet.page-version' = 'v2')");
    insert(table, 300, 500);
    areSame(fast, "SELECT * FROM " + table, true);
    areSame(fast, "SELECT try_element_at(floats, 1), size(deep), j FROM " + table, true);
    areSame(fast, of -> of.read().option("split-size", "5000").table(table), true);
    areSame(fast, of -> of.read().option("batch-size", "7").table(table), true);
    areSame(fast, "SELECT input_file_name(), nested FROM " + table, true);
    assertThat(fast.read().option("split-size", "5000").table(table).rdd().getNumPartitions())
        .isGreaterThan(2);
  }

  @Tag("slow")
  @Test
  void otherQueriesAreIcebergs() {
    String table = create(COLUMNS, SMALL);
    insert(table, 0, 50);
    areSame(fast, "SELECT k, _file, _pos, floats FROM " + table, false);
    areSame(fast, of -> of.read().option("vectorization-enabled", "false").table(table), false);
    areSame(fast, "SELECT * FROM " + table + ".files", false);
    assertThat(rows(fast.sql("SELECT count(*), max(b) FROM " + table)))
        .isEqualTo(rows(plain.sql("SELECT count(*), max(b) FROM " + table)));
    String structs = create("k STRING, s STRUCT<x: ARRAY<FLOAT>>, y ARRAY<INT>", SMALL);
    fast.sql("INSERT INTO " + structs + " VALUES ('a', named_struct('x', array(1F)), array(1))");
    areSame(fast, "SELECT * FROM " + structs, false);
    areSame(fast, "SELECT s.x, y FROM " + structs, false);
    areSame(fast, "SELECT k, y FROM " + structs, true);
  }

  @Tag("slow")
  @Test
  void filtersLimitsAndJoinsHaveTheSameRows() {
    String table = create(COLUMNS, SMALL);
    insert(table, 0, 300);
    for (String condition :
        List.of(
            "k = 'k17'",
            "b BETWEEN 40 AND 60 OR c > 2900000000000",
            "k IN ('k1', 'k250') AND NOT (b = 1)",
            "g < timestamp_micros(20) AND a IS NULL",
            "f >= DATE'2026-10-01' AND size(floats) = 3",
            "c IS NOT NULL AND k LIKE 'k29%'")) {
      areSame(fast, "SELECT k, floats, nested FROM " + table + " WHERE " + condition, true);
    }
    assertThat(fast.sql("SELECT floats FROM " + table + " LIMIT 7").count()).isEqualTo(7);
    areSame(
        fast,
        "SELECT t.k, t.floats FROM " + table + " t JOIN VALUES ('k3'), ('k99') v(key) ON k = key",
        true);
  }

  @Tag("slow")
  @Test
  void runtimeFiltersPrunePartitions() {
    String table = create("p INT, k BIGINT, v ARRAY<FLOAT>", SMALL, "p");
    fast.sql(
        "INSERT INTO "
            + table
            + " SELECT id % 10, id, array(float(id)) FROM range(1000) DISTRIBUTE BY id % 10");
    String ids = create("p INT, name STRING", "'a' = 'b'");
    fast.sql("INSERT INTO " + ids + " VALUES (3, 'x'), (4, 'y')");
    String query =
        "SELECT t.k, t.v, t.p FROM "
            + table
            + " t JOIN "
            + ids
            + " i ON t.p = i.p WHERE name = 'x'";
    areSame(fast, query, true);
    Dataset<Row> read = fast.sql(query);
    assertThat(read.count()).isEqualTo(100);
    assertThat(read.queryExecution().toString()).contains("dynamicpruning");
  }

  @Test
  void columnsOfAnEvolvedSchemaAreRead() {
    String table =
        create(
            "k STRING, i INT, f FLOAT, p DECIMAL(9, 2), v ARRAY<FLOAT>, w ARRAY<INT>, gone ARRAY<INT>",
            SMALL + ", 'format-version' = '3'");
    fast.sql(
        "INSERT INTO "
            + table
            + " SELECT concat(id, 'k'), id, id / 3, id / 4, array(float(id), NULL),"
            + " array(int(id)), array(1) FROM range(100)");
    fast.sql("ALTER TABLE " + table + " DROP COLUMN gone");
    fast.sql("ALTER TABLE " + table + " RENAME COLUMN v TO vector");
    fast.sql("ALTER TABLE " + table + " ALTER COLUMN i TYPE BIGINT");
    fast.sql("ALTER TABLE " + table + " ALTER COLUMN f TYPE DOUBLE");
    fast.sql("ALTER TABLE " + table + " ALTER COLUMN p TYPE DECIMAL(20, 2)");
    fast.sql("ALTER TABLE " + table + " ALTER COLUMN vector.element TYPE DOUBLE");
    fast.sql("ALTER TABLE " + table + " ALTER COLUMN w.element TYPE BIGINT");
    fast.sql("ALTER TABLE " + table + " ADD COLUMN gone ARRAY<STRING>");
    fast.sql("ALTER TABLE " + table + " ADD COLUMN more INT FIRST");
    areSame(fast, "SELECT * FROM " + table, true);
    areSame(fast, "SELECT gone, more FROM " + table, true);
    areSame(fast, "SELECT VECTOR, I FROM " + table + " WHERE i > 50 AND F < 30", true);
    fast.sql("INSERT INTO " + table + " VALUES (1, 'n', 2, 3, 4, NULL, array(5L), array('s'))");
    areSame(fast, "SELECT * FROM " + table, true);
  }

  @Tag("slow")
  @Test
  void defaultsOfAddedColumnsAreRead() {
    String table = create("k STRING, v ARRAY<FLOAT>", SMALL + ", 'format-version' = '3'");
    fast.sql("INSERT INTO " + table + " SELECT id, array(float(id)) FROM range(20)");
    iceberg(table)
        .updateSchema() // SQL adds defaults to feature tables only
        .addColumn("n", Types.LongType.get(), Expressions.lit(7L))
        .addColumn("s", Types.StringType.get(), Expressions.lit("seven"))
        .commit();
    areSame(fast, "SELECT * FROM " + table, true);
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3})
  void deletedRowsAreLeftOut(int version) {
    String table =
        create(
            "k STRING, id BIGINT, v ARRAY<FLOAT>, x INT",
            SMALL
                + ", 'write.delete.mode' = 'merge-on-read', 'write.update.mode' = 'merge-on-read',"
                + " 'write.merge.mode' = 'merge-on-read', 'format-version' = '"
                + version
                + "'");
    fast.sql(
        "INSERT INTO "
            + table
            + " SELECT concat('k', id), id, array(float(id), float(-id)), int(id % 4)"
            + " FROM range(0, 600, 1, 2)");
    fast.sql("DELETE FROM " + table + " WHERE id % 3 = 1 OR id BETWEEN 200 AND 320");
    areSame(fast, "SELECT * FROM " + table, true);
    areSame(fast, "SELECT v FROM " + table + " WHERE id > 400", true);
    areSame(fast, of -> of.read().option("split-size", "3000").table(table), true);
    areSame(fast, "SELECT * FROM " + table + " WHERE id BETWEEN 330 AND 350", true);
    fast.sql("UPDATE " + table + " SET v = array(9F) WHERE id % 10 = 0");
    fast.sql(
        "MERGE INTO "
            + table
            + " t USING (SELECT 'k3' AS k UNION SELECT 'new') s ON t.k = s.k WHEN MATCHED THEN DELETE"
            + " WHEN NOT MATCHED THEN INSERT (k, v) VALUES (s.k, array(1F, 2F, 3F))");
    areSame(fast, "SELECT * FROM " + table, true);
    assertThat(fast.sql("SELECT v FROM " + table + " WHERE k IN ('k3', 'new')").count())
        .isEqualTo(1);
  }

  @Test
  void filesWithoutFieldIdsAreReadByIceberg(@TempDir Path directory) {
    String table = create("k STRING, v ARRAY<FLOAT>, n ARRAY<ARRAY<INT>>", SMALL);
    String files = directory.resolve("files").toString();
    fast.range(0, 300, 1, 1)
        .selectExpr(
            "string(id) AS k",
            "IF(id % 5 = 0, NULL, array(float(id), NULL)) AS v",
            "array(array(int(id)), array(), NULL) AS n")
        .write()
        .parquet(files);
    fast.sql(
        "CALL lake.system.add_files(table => '"
            + table
            + "', source_table => '`parquet`.`"
            + files
            + "`')");
    Dataset<Row> copied =
        withSameRows(fast, of -> of.read().option("batch-size", "7").table(table));
    assertThat(isColumnar(copied)).isTrue();
    assertThat(batchedSplits(copied)).isZero();
    fast.sql("INSERT INTO " + table + " SELECT id, array(1F), NULL FROM range(5)");
    withSameRows(fast, of -> of.table(table));
  }

  @Test
  void longTextsBehindADictionaryAreReadInSmallBatches() {
    String table = create("k BIGINT, v ARRAY<STRING>", SMALL);
    fast.sql(
        "INSERT INTO "
            + table
            + " SELECT id, transform(sequence(1, int(id % 40)), x -> repeat(string(x % 3), 2000))"
            + " FROM range(0, 2000, 1, 1)");
    areSame(fast, "SELECT k, size(v), hash(v) FROM " + table, true);
  }

  @Tag("slow")
  @Test
  void partitionValuesAreThoseOfTheTable() {
    String table = create("p STRING, d DATE, k BIGINT, v ARRAY<DOUBLE>", SMALL, "p", "d");
    fast.sql(
        "INSERT INTO "
            + table
            + " SELECT IF(id % 3 = 0, NULL, concat('p', id % 3)), DATE'2026-01-01', id,"
            + " array(double(id)) FROM range(30)");
    areSame(fast, "SELECT * FROM " + table, true);
    areSame(fast, "SELECT v FROM " + table + " WHERE p = 'p1'", true);
  }

  @Test
  void featureTablesAreReadAndChangedInSql() {
    String table = name();
    catalog.sql(
        "CREATE TABLE "
            + table
            + " (k STRING NOT NULL, n BIGINT DEFAULT 0, v ARRAY<FLOAT>) USING iceberg"
            + " PARTITIONED BY (bucket(2, k)) TBLPROPERTIES ('sparknd.key' = 'k',"
            + " 'sparknd.variable.n.reduction' = 'add', 'sparknd.variable.v.shape' = '[3]',"
            + " 'sparknd.variable.v.reduction' = 'add')");
    String rows = " SELECT concat('k', id), id, array(1F, 2F, float(id)) FROM range(200)";
    catalog.sql("INSERT INTO " + table + rows);
    catalog.sql("INSERT INTO " + table + rows);
    areSame(catalog, "SELECT * FROM " + table, true);
    catalog.sql("UPDATE " + table + " SET v = array(0F, 0F, 0F) WHERE n < 20");
    catalog.sql("DELETE FROM " + table + " WHERE n > 380");
    catalog.sql(
        "MERGE INTO "
            + table
            + " t USING (SELECT 'k30' AS k UNION SELECT 'z') s ON t.k = s.k WHEN MATCHED THEN UPDATE"
            + " SET n = -1 WHEN NOT MATCHED THEN INSERT (k, n, v) VALUES (s.k, 5, NULL)");
    areSame(catalog, "SELECT * FROM " + table, true);
    areSame(catalog, "SELECT v, k FROM " + table + " WHERE k IN ('k30', 'z', 'k7')", true);
    areSame(catalog, of -> FeatureTable.open(of, table).toDataset(), true);
    assertThat(rows(catalog.sql("SELECT sum(n), count(v) FROM " + table)))
        .containsExactly("{\"sum(n)\":36234,\"count(v)\":191}");
  }

  @Test
  void tensorsAreRead() {
    TensorTable tensor =
        TensorTable.create(fast, name(), TensorSpec.of(DType.FLOAT32, Shape.of(40, 2, 3)));
    Dataset<Row> updates =
        fast.range(30)
            .selectExpr("id", "array(array(float(id), 1F, 2F), array(3F, 4F, 5F)) AS value");
    tensor.write().scatter(Scatter.update(), updates, TensorColumns.of("value", "id")).commit();
    areSame(fast, "SELECT * FROM " + tensor.name(), true);
    areSame(catalog, "SELECT * FROM " + tensor.name(), true);
  }

  @Tag("slow")
  @Test
  void pastStatesAndBranchesAreRead() {
    String table = create("k BIGINT, v ARRAY<FLOAT>", SMALL);
    fast.sql("INSERT INTO " + table + " SELECT id, array(float(id)) FROM range(10)");
    long first = fast.sql("SELECT snapshot_id FROM " + table + ".snapshots").head().getLong(0);
    String time =
        fast.sql("SELECT string(committed_at) FROM " + table + ".snapshots").head().getString(0);
    iceberg(table).manageSnapshots().createBranch("audit").commit();
    fast.sql("ALTER TABLE " + table + " ADD COLUMN more INT");
    fast.sql("DELETE FROM " + table + " WHERE k > 4");
    for (SparkSession session : List.of(fast, catalog)) {
      areSame(session, "SELECT * FROM " + table + " VERSION AS OF " + first, true);
      areSame(session, "SELECT * FROM " + table + " VERSION AS OF 'audit'", true);
      areSame(session, "SELECT * FROM " + table + " TIMESTAMP AS OF '" + time + "'", true);
      areSame(session, of -> of.read().option("versionAsOf", first).table(table), true);
    }
    assertThat(fast.sql("SELECT * FROM " + table).count()).isEqualTo(5);
  }
}
