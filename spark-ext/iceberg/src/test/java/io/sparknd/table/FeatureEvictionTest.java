/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table;

import static org.apache.spark.sql.functions.expr;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparknd.table.options.FeatureTableSpec;
import io.sparknd.table.options.Variable;
import io.sparknd.table.reduction.VariableReduction;
import io.sparknd.table.result.TableCommit;
import io.sparknd.table.result.TableCommit.Outcome;
import io.sparknd.tensor.SparkNdException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.iceberg.types.Types;
import org.apache.spark.sql.AnalysisException;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that evicted rows have fill values again, and no other row changes. */
@Tag("slow")
class FeatureEvictionTest {
  private static Dataset<Row> sql(String query) {
    return TestTables.spark().sql(query);
  }

  private static FeatureTableSpec spec() {
    return FeatureTableSpec.keyedBy("k", "string")
        .with(Variable.of("n", "bigint").reducedBy(VariableReduction.add()).withFill(7))
        .with(Variable.of("seen", "timestamp").reducedBy(VariableReduction.max()))
        .with(Variable.of("city", "string").reducedBy(VariableReduction.last("seen")))
        .withBuckets(4);
  }

  private static FeatureTable create(FeatureTableSpec spec) {
    return FeatureTable.create(TestTables.spark(), TestTables.name(), spec);
  }

  private static Dataset<Row> users(long from, long to) {
    return sql(
        "SELECT concat('u', id) AS k, id AS n, timestamp'2026-01-01 00:00:00Z' + make_dt_interval("
            + "int(id)) AS seen, if(id % 3 = 0, NULL, concat('c', id)) AS city FROM range("
            + from
            + ", "
            + to
            + ")");
  }

  private static List<String> rows(Dataset<Row> rows) {
    return rows.collectAsList().stream().map(Row::toString).sorted().toList();
  }

  /** Returns what plain Spark leaves of the table's rows. */
  private static List<String> without(FeatureTable table, String condition) {
    return rows(
        sql("SELECT * FROM " + table.name() + " WHERE NOT coalesce(" + condition + ", false)"));
  }

  /** The snapshot has the columns of its time, in which Iceberg finds fields by their ids. */
  @Test
  void conditionsOnFieldsOfStructsThatChangedTheirPlaces() {
    FeatureTable table =
        create(
            FeatureTableSpec.keyedBy("k", "string")
                .with(Variable.of("at", "struct<x: int, y: int>"))
                .with(Variable.of("path", "array<struct<x: int, y: int>>"))
                .with(Variable.of("named", "map<string, struct<x: int, y: int>>")));
    for (int i = 0; i < 2; i++) {
      String at = "named_struct('x', " + (1 + 99 * i) + ", 'y', " + (100 - 99 * i) + ")";
      String values = String.format("%1$s AS at, array(%1$s) AS path, map('a', %1$s) AS named", at);
      table.scatter(sql("SELECT 'k" + i + "' AS k, " + values));
    }
    table.iceberg().refresh();
    table
        .iceberg()
        .updateSchema()
        .moveFirst("at.y")
        .moveFirst("path.element.y")
        .deleteColumn("named.value.y")
        .addColumn("named.value", "z", Types.IntegerType.get())
        .commit();
    table = FeatureTable.open(TestTables.spark(), table.name());
    for (String condition :
        List.of("at.x > 100", "path[0].y > 100", "named['a'].x > 100", "named['a'].z > 0")) {
      assertThat(table.evict(condition).outcome()).isEqualTo(Outcome.EMPTY);
    }
    for (String condition : List.of("at.x > 50", "path[0].y > 50")) {
      List<String> expected = without(table, condition);
      assertThat(expected).hasSizeLessThan(2);
      table.evict(condition);
      assertThat(rows(table.toDataset())).isEqualTo(expected);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"merge-on-read", "copy-on-write"})
  void rowsOfTheConditionGoAndOthersStay(String mode) {
    FeatureTable table = create(spec().withProperty("write.merge.mode", mode));
    table.scatter(users(0, 100));
    table.scatter(users(50, 150));
    for (String condition :
        List.of(
            "city > 'c7'",
            "n % 5 = 1 OR seen < timestamp'2026-01-10'",
            "k IN (SELECT concat('u', id) FROM range(60, 70))",
            "city__seen IS NULL AND n > 200")) {
      List<String> expected = without(table, condition);
      long before = table.toDataset().count();
      TableCommit commit = table.evict(condition);
      assertThat(commit.outcome()).isEqualTo(Outcome.COMMITTED);
      assertThat(rows(table.toDataset())).as(condition).isEqualTo(expected);
      assertThat(commit.rows()).isEqualTo(before - expected.size()).isPositive();
      table.iceberg().refresh();
      assertThat(table.iceberg().currentSnapshot().summary())
          .containsEntry("sparknd.evicted-rows", Long.toString(commit.rows()));
      assertThat(table.evict(condition).outcome()).isEqualTo(Outcome.EMPTY);
    }
    table.compact();
    table.scatter(sql("SELECT 'u61' AS k, 1L AS n"));
    assertThat(table.gather(sql("SELECT 'u61' AS k2"), List.of("k2"), "n").first().getLong(1))
        .isEqualTo(8);
    assertThat(table.gather(sql("SELECT 'u62' AS k2"), List.of("k2"), "n").first().getLong(1))
        .isEqualTo(7);
  }

  @Test
  void allRowsCanGo() {
    FeatureTable table = create(spec());
    assertThat(table.evict("true").outcome()).isEqualTo(Outcome.EMPTY);
    table.scatter(users(0, 20));
    table.evict("k = 'u3'");
    TableCommit commit = table.evict("true");
    assertThat(commit.rows()).isEqualTo(19);
    assertThat(commit.filesAdded()).isZero();
    assertThat(table.toDataset().count()).isZero();
    table.scatter(users(0, 5));
    assertThat(table.toDataset().count()).isEqualTo(5);
  }

  @Test
  void batchEvictsOnce() {
    FeatureTable table = create(spec());
    table.scatter(users(0, 20));
    assertThat(table.evict(expr("n < 17"), "clean").rows()).isEqualTo(10);
    table.scatter(users(0, 3));
    List<String> before = rows(table.toDataset());
    assertThat(table.evict(expr("n < 10"), "clean").outcome()).isEqualTo(Outcome.REPLAYED);
    assertThat(rows(table.toDataset())).isEqualTo(before);
    assertThat(table.evict(expr("n < -1"), "nothing").outcome()).isEqualTo(Outcome.COMMITTED);
    assertThat(table.evict(expr("n < 20"), "nothing").outcome()).isEqualTo(Outcome.REPLAYED);
    assertThatThrownBy(() -> table.evict(expr("true"), "a,b")).hasMessageContaining("batch id");
  }

  @Test
  void timeToLiveCountsFromItsColumn() {
    FeatureTable table = create(spec().withTimeToLive(Duration.ofDays(30), "seen").withBuckets(2));
    table.scatter(users(0, 100));
    table.scatter(sql("SELECT 'never' AS k, 1L AS n"));
    Instant now = Instant.parse("2026-03-01T00:00:00Z");
    List<String> expected = without(table, "seen < timestamp'2026-01-30 00:00:00Z'");
    assertThat(table.gather(sql("SELECT 'u0' AS k2"), List.of("k2"), "n").first().getLong(1))
        .as("an expired row is read until it is evicted")
        .isEqualTo(7);
    assertThat(table.evictExpired(now).rows()).isEqualTo(29);
    assertThat(rows(table.toDataset())).isEqualTo(expected);
    assertThatThrownBy(() -> table.dropVariable("seen")).isInstanceOf(SparkNdException.class);
    assertThat(table.evictExpired(now.plus(Duration.ofDays(1)), "b").rows()).isEqualTo(1);
    assertThat(table.evictExpired(now.plus(Duration.ofDays(9)), "b").outcome())
        .isEqualTo(Outcome.REPLAYED);
  }

  @Test
  void timesToLiveOfAnyLength() {
    FeatureTable table =
        create(spec().withTimeToLive(Duration.ofDays(999_999_999), "seen").withBuckets(1));
    table.scatter(users(0, 3));
    table.scatter(sql("SELECT 'first' AS k, timestamp'-290000-01-01 00:00:00Z' AS seen"));
    for (Instant now : List.of(Instant.now(), Instant.MIN)) {
      assertThat(table.evictExpired(now).outcome()).isEqualTo(Outcome.EMPTY);
    }
    sql("ALTER TABLE " + table.name() + " SET TBLPROPERTIES ('sparknd.ttl' = 'P1D')");
    assertThat(table.evictExpired(Instant.MAX, "all").rows()).isEqualTo(4);
  }

  /** Rows that had no time would have the fill value, and go. */
  @Test
  void theColumnOfATimeToLiveHasNoFillValue() {
    FeatureTableSpec filled =
        FeatureTableSpec.keyedBy("k", "string")
            .with(Variable.of("seen", "timestamp").withFill("1970-01-01 00:00:00Z"))
            .withTimeToLive(Duration.ofDays(30), "seen");
    assertThatThrownBy(() -> create(filled)).hasMessageContaining("without a fill value");
  }

  @Test
  void timeToLiveMustBePositiveAndOfATimestamp() {
    assertThatThrownBy(() -> create(spec()).evictExpired(Instant.now()))
        .hasMessageContaining("no time to live");
    assertThatThrownBy(() -> create(spec().withTimeToLive(Duration.ZERO, "seen")))
        .hasMessageContaining("sparknd.ttl = 'PT0S' is not a positive duration");
    for (String column : List.of("n", "city", "other", "Seen")) {
      assertThatThrownBy(() -> create(spec().withTimeToLive(Duration.ofDays(1), column)))
          .as(column)
          .hasMessageContaining("sparknd.ttl-column = '" + column + "' is not the exact name");
    }
    FeatureTable table = create(spec());
    sql(
        "ALTER TABLE "
            + table.name()
            + " SET TBLPROPERTIES ('sparknd.ttl' = '30 days',"
            + " 'sparknd.ttl-column' = 'seen')");
    assertThatThrownBy(() -> table.evictExpired(Instant.now())).hasMessageContaining("'30 days'");
  }

  @Test
  void columnsOfTodayMayBeInTheConditionOfAnOlderSnapshot() {
    FeatureTable table = create(spec().withTimeToLive(Duration.ofDays(30), "seen"));
    table.scatter(users(0, 20));
    table
        .addVariable(Variable.of("likes", "int").withFill(3))
        .addVariable(Variable.of("mood", "string"))
        .renameVariable("n", "a.b `q` 'x'")
        .dropVariable("city");
    assertThat(table.evict("likes = 3 AND mood IS NULL AND `a.b ``q`` 'x'` >= 25").rows())
        .isEqualTo(2);
    table.addVariable(Variable.of("n", "bigint").withFill(100));
    assertThat(table.evict("n < 50").outcome()).as("n is another column").isEqualTo(Outcome.EMPTY);
    assertThat(table.evict("n = 100 AND `a.b ``q`` 'x'` = 7").rows()).isEqualTo(1);
    assertThatThrownBy(() -> table.evict("city = 'c1'")).isInstanceOf(AnalysisException.class);
    assertThatThrownBy(() -> table.evict("n =")).isInstanceOf(AnalysisException.class);
    assertThat(table.toDataset().count()).isEqualTo(17);
  }

  @Test
  void oddNamesOfKeysAndFilesAreNoTrouble() {
    FeatureTable table =
        FeatureTable.create(
            TestTables.spark(),
            "lake.`odd.ns 'x'`.`t ``1`` \"%20\"`",
            FeatureTableSpec.keyedBy("select `", "string")
                .andKey("a.b", "bigint")
                .with(Variable.of("it's", "bigint").reducedBy(VariableReduction.add()))
                .withBuckets(2));
    Dataset<Row> rows =
        sql("SELECT 'f' AS `select ```, id AS `a.b`, id * 2 AS `it's` FROM range(10)");
    table.scatter(rows);
    assertThat(table.evict("`it's` >= 10 AND `a.b` <> 9 AND `select ``` = 'f'").rows())
        .isEqualTo(4);
    assertThat(rows(table.toDataset())).isEqualTo(rows(rows.where("`a.b` < 5 OR `a.b` = 9")));
  }

  @Test
  void columnThatHidesPositionsIsNamed() {
    FeatureTable table = create(spec().with(Variable.of("_pos", "bigint")));
    table.scatter(users(0, 5));
    assertThatThrownBy(() -> table.evict("_pos = 3"))
        .hasMessageContaining("column _pos of table " + table.name() + " hides");
  }

  @Test
  void branchesAreEvictedOnTheirOwn() {
    FeatureTable table = create(spec());
    table.scatter(users(0, 20));
    table.iceberg().refresh();
    table
        .iceberg()
        .manageSnapshots()
        .createBranch("audit", table.snapshot().orElseThrow())
        .commit();
    FeatureTable branch = FeatureTable.open(TestTables.spark(), table.name() + ".branch_audit");
    branch.scatter(users(20, 30));
    assertThat(branch.evict("n >= 17 AND k <> 'u29'").rows()).isEqualTo(19);
    assertThat(branch.snapshot(branch.snapshot().orElseThrow()).toDataset().count()).isEqualTo(11);
    assertThat(table.toDataset().count()).isEqualTo(20);
    assertThatThrownBy(() -> table.snapshot(table.snapshot().orElseThrow()).evict("true"))
        .hasMessageContaining("read-only");
  }

  /** Each round adds 1 to all rows and evicts those above; none may be lost or evicted below. */
  @Test
  void concurrentScattersAreSeen() throws Exception {
    FeatureTable table = create(spec().withBuckets(2));
    String all = "SELECT concat('u', id) AS k, 1L AS n FROM range(40)";
    table.scatter(sql(all));
    ExecutorService threads = Executors.newFixedThreadPool(2);
    try {
      List<Future<TableCommit>> done = new ArrayList<>();
      for (int round = 0; round < 3; round++) {
        done.add(
            threads.submit(
                () -> FeatureTable.open(TestTables.spark(), table.name()).scatter(sql(all))));
        done.add(
            threads.submit(
                () ->
                    FeatureTable.open(TestTables.spark(), table.name())
                        .evict("n = 8 AND k < 'u2'")));
      }
      for (Future<TableCommit> each : done) {
        each.get();
      }
    } finally {
      threads.shutdown();
    }
    long evictions = 0;
    for (Row row :
        sql("SELECT summary['sparknd.evicted-rows'] AS n FROM " + table.name() + ".snapshots")
            .where("n IS NOT NULL")
            .collectAsList()) {
      evictions += Long.parseLong(row.getString(0));
    }
    // a row that is not evicted counts four updates on its fill value 7
    assertThat(table.toDataset().where("k >= 'u2'").select("n").distinct().collectAsList())
        .extracting(Row::toString)
        .containsExactly("[11]");
    long lost =
        sql(all).count() * 4 - table.toDataset().selectExpr("sum(n - 7)").first().getLong(0);
    // rows with n = 8 lose the one update that they have
    assertThat(lost).isEqualTo(evictions);
  }
}
