/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparknd.cluster.options.AsOf;
import io.sparknd.table.FeatureTable;
import io.sparknd.table.TestTables;
import io.sparknd.table.options.FeatureTableSpec;
import io.sparknd.table.options.GatheredVariables;
import io.sparknd.table.options.Retention;
import io.sparknd.table.options.Variable;
import io.sparknd.table.reduction.VariableReduction;
import io.sparknd.table.result.TableCommit;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.SparkNdException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.iceberg.Table;
import org.apache.spark.sql.AnalysisException;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests gathers as of the times of labels, in Java and in SQL. */
class GatherAsOfTest {
  private static final Instant MAY = Instant.parse("2026-05-01T00:00:00Z");
  private final SparkSession spark = TestTables.spark();

  @BeforeEach
  void activate() {
    SparkSession.setActiveSession(spark);
  }

  private FeatureTable users(String... properties) {
    FeatureTableSpec spec =
        FeatureTableSpec.keyedBy("user", "string")
            .with(Variable.of("views", "bigint").reducedBy(VariableReduction.add()).withFill(7))
            .with(Variable.of("city", "string"))
            .with(Variable.of("taste", DType.FLOAT32, 2).withFill(0.5))
            .withBuckets(4);
    for (int i = 0; i < properties.length; i += 2) {
      spec = spec.withProperty(properties[i], properties[i + 1]);
    }
    return FeatureTable.create(spark, TestTables.name(), spec);
  }

  private Dataset<Row> views(String user, int views) {
    return spark.sql("SELECT '%s' AS user, %dL AS views".formatted(user, views));
  }

  private static Instant committed(FeatureTable table) {
    table.iceberg().refresh();
    return Instant.ofEpochMilli(table.iceberg().currentSnapshot().timestampMillis());
  }

  private static String literal(Instant time) {
    return "TIMESTAMP'" + time + "'";
  }

  /** Returns a label for each user and time, numbered in their order. */
  private Dataset<Row> labels(Object... usersAndTimes) {
    List<String> rows = new ArrayList<>();
    for (int i = 0; i < usersAndTimes.length; i += 2) {
      String user = usersAndTimes[i] == null ? "NULL" : "'" + usersAndTimes[i] + "'";
      Object time = usersAndTimes[i + 1];
      rows.add(
          "("
              + i / 2
              + ", "
              + user
              + ", "
              + (time == null ? "NULL" : literal((Instant) time))
              + ")");
    }
    return spark.sql(
        "SELECT n, user, CAST(at AS TIMESTAMP) AS at FROM VALUES "
            + String.join(", ", rows)
            + " AS l(n, user, at)");
  }

  private static List<String> found(Dataset<Row> gathered, String... columns) {
    return gathered.orderBy("n").selectExpr(columns).toJSON().collectAsList();
  }

  private static List<Object> views(Dataset<Row> gathered) {
    return gathered.orderBy("n").select("views").collectAsList().stream()
        .map(row -> row.get(0))
        .toList();
  }

  @Test
  void labelsAreGivenTheRowOfTheirTime() {
    FeatureTable table = users();
    table.scatter(
        spark.sql("SELECT 'u1' AS user, 1L AS views, 'Oslo' AS city, array(1F, 2F) AS taste"));
    Instant first = committed(table);
    table.scatter(views("u1", 10));
    Instant second = committed(table);
    table.scatter(spark.sql("SELECT 'u1' AS user, 'Bergen' AS city"));
    table.scatter(views("u2", 5));
    Instant last = committed(table);
    Dataset<Row> labels =
        labels(
            "u1",
            first.minusMillis(1),
            "u1",
            first,
            "u1",
            second.minusNanos(1000),
            "u1",
            second,
            "u1",
            last,
            "u2",
            second,
            "u2",
            last.plusSeconds(3600),
            null,
            last,
            "u1",
            null);
    Dataset<Row> found = table.gatherAsOf(labels, List.of("user"), "at");
    assertThat(found.columns()).containsExactly("n", "user", "at", "views", "city", "taste");
    assertThat(found(found, "views", "city", "taste"))
        .containsExactly(
            "{\"views\":7,\"taste\":[0.5,0.5]}",
            "{\"views\":8,\"city\":\"Oslo\",\"taste\":[1.0,2.0]}",
            "{\"views\":8,\"city\":\"Oslo\",\"taste\":[1.0,2.0]}",
            "{\"views\":18,\"city\":\"Oslo\",\"taste\":[1.0,2.0]}",
            "{\"views\":18,\"city\":\"Bergen\",\"taste\":[1.0,2.0]}",
            "{\"views\":7,\"taste\":[0.5,0.5]}",
            "{\"views\":12,\"taste\":[0.5,0.5]}",
            "{\"views\":7,\"taste\":[0.5,0.5]}",
            "{}");
    assertThat(found(table.gatherAsOf(labels.limit(2), List.of("user"), "at", "city"), "*"))
        .last()
        .asString()
        .endsWith("\"city\":\"Oslo\"}");
  }

  @Test
  void aTableWithoutSnapshotsHasFillValues() {
    Dataset<Row> labels = labels("u1", MAY);
    assertThat(views(users().gatherAsOf(labels, List.of("user"), "at"))).containsExactly(7L);
    assertThat(isKnown(users().gatherAsOf(labels, List.of("user"), AsOf.commitTime("at"), FOUND)))
        .containsExactly(false);
  }

  private static final GatheredVariables FOUND =
      GatheredVariables.all().withFoundColumn("is_known");

  private static List<Object> isKnown(Dataset<Row> gathered) {
    return gathered.orderBy("n").select("is_known").collectAsList().stream()
        .map(row -> row.get(0))
        .toList();
  }

  @Test
  void keysAreFoundInTheStateOfTheirTime() {
    FeatureTable table = users();
    Instant day2 = MAY.plus(Duration.ofDays(1));
    table.write().scatter(views("u1", 1)).validAt(MAY).commit();
    table.write().scatter(views("u2", 1)).validAt(day2).commit();
    table.evict("user = 'u1'");
    Instant evicted = committed(table);
    Dataset<Row> labels =
        labels(
            "u1",
            MAY.minusNanos(1000),
            "u1",
            MAY,
            "u2",
            MAY,
            "u2",
            day2,
            "u1",
            day2,
            "u1",
            evicted,
            "u2",
            evicted,
            null,
            evicted,
            "u2",
            null);
    List<Object> expected = List.of(false, true, false, true, true, false, true, false, false);
    AsOf validTime = AsOf.validTime("at");
    Dataset<Row> java = table.gatherAsOf(labels, List.of("user"), validTime, FOUND);
    assertThat(java.columns())
        .containsExactly("n", "user", "at", "views", "city", "taste", "is_known");
    assertThat(java.schema().apply("is_known").nullable()).isFalse();
    assertThat(isKnown(java)).isEqualTo(expected);
    labels.createOrReplaceTempView("as_of");
    String options = ", at => 'at', bad_indices => 'ignore', found => 'is_known'";
    String sql = call(table.name(), "as_of", options + ", clock => 'valid'");
    assertThat(spark.sql("SELECT * FROM " + sql).orderBy("n").collectAsList())
        .isEqualTo(java.orderBy("n").collectAsList());
    assertThat(isKnown(spark.sql("SELECT is_known, n FROM " + sql))).isEqualTo(expected);
    assertThat(isKnown(spark.sql("SELECT * FROM " + sql + " WHERE is_known")))
        .hasSize(4)
        .containsOnly(true);
    String latest = call(table.name(), "as_of", options + ", clock => 'none'");
    assertThat(isKnown(spark.sql("SELECT * FROM " + latest)))
        .as("of the latest state, whatever the time; a NULL time has none")
        .containsExactly(false, false, true, true, false, false, true, false, false);
    assertThatThrownBy(
            () ->
                spark.sql("SELECT * FROM " + call(table.name(), "as_of", ", 'at', found => 'AT'")))
        .isInstanceOf(AnalysisException.class)
        .hasMessageContaining("already have a column 'AT'");
  }

  @Test
  void noKeyIsFoundInAnExpiredState() {
    FeatureTable table = users();
    table.scatter(views("u1", 1));
    Instant lost = committed(table);
    table.scatter(views("u1", 10));
    Instant kept = committed(table);
    table.expire(Retention.of(Duration.ZERO));
    AsOf orNull = AsOf.commitTime("at").orNullIfExpired();
    Dataset<Row> labels = labels("u1", kept, "u1", lost, "u1", null);
    Dataset<Row> found = table.gatherAsOf(labels, List.of("user"), orNull, FOUND);
    assertThat(views(found)).containsExactly(18L, null, null);
    assertThat(isKnown(found)).containsExactly(true, false, false);
  }

  @Test
  void validTimesOfBatchesCount() {
    FeatureTable table = users();
    Instant day2 = MAY.plus(Duration.ofDays(1));
    Instant day3 = MAY.plus(Duration.ofDays(2));
    Instant day4 = MAY.plus(Duration.ofDays(3));
    table.write().scatter(views("u1", 1)).batchId("1").validAt(MAY).commit();
    table.write().scatter(views("u1", 10)).batchId("3").validAt(day3).commit();
    table.write().scatter(views("u1", 100)).batchId("2").validAt(day2).commit();
    table.compact();
    table.write().scatter(views("u1", 1000)).batchId("4").validAt(day4).commit();
    Dataset<Row> labels =
        labels("u1", MAY.minusNanos(1000), "u1", MAY, "u1", day2, "u1", day3, "u1", day4);
    AsOf validTime = AsOf.validTime("at");
    assertThat(views(table.gatherAsOf(labels, List.of("user"), validTime)))
        .as("the late batch is seen with the one that came before it")
        .containsExactly(7L, 8L, 8L, 118L, 1118L);
    assertThat(views(table.gatherAsOf(labels, List.of("user"), "at")))
        .as("all commits are later than the labels")
        .containsOnly(7L);
    table.iceberg().manageSnapshots().rollbackTo(table.batch("3").snapshot().getAsLong()).commit();
    assertThat(views(table.gatherAsOf(labels, List.of("user"), validTime)))
        .as("batches that were rolled back are not in the table")
        .containsExactly(7L, 8L, 8L, 18L, 18L);
  }

  @Test
  void theClockOfCommitsShowsWhatReadersSaw() {
    FeatureTable table = users();
    table.scatter(views("u1", 1));
    long good = table.snapshot().getAsLong();
    table.scatter(views("u1", 100));
    Instant bad = committed(table);
    table.iceberg().manageSnapshots().rollbackTo(good).commit();
    Dataset<Row> labels = labels("u1", bad, "u1", Instant.now().plusSeconds(60));
    assertThat(views(table.gatherAsOf(labels, List.of("user"), "at"))).containsExactly(108L, 8L);
  }

  @Test
  void expiredStatesAreAnErrorOrNull() {
    FeatureTable table = users();
    table.write().scatter(views("u1", 1)).validAt(MAY).commit();
    Instant lost = committed(table);
    table.write().scatter(views("u1", 10)).validAt(MAY.plusSeconds(60)).commit();
    Instant kept = committed(table);
    table.expire(Retention.of(Duration.ZERO));
    Dataset<Row> labels = labels("u1", kept, "u1", lost);
    assertThatThrownBy(() -> table.gatherAsOf(labels, List.of("user"), "at"))
        .isInstanceOf(SparkNdException.class)
        .hasMessageContaining(lost.toString())
        .hasMessageContaining(kept.toString())
        .hasMessageContaining(table.name());
    AsOf orNull = AsOf.commitTime("at").orNullIfExpired();
    assertThat(views(table.gatherAsOf(labels, List.of("user"), orNull))).containsExactly(18L, null);
    assertThat(views(table.gatherAsOf(labels.limit(1), List.of("user"), "at")))
        .containsExactly(18L);
    AsOf valid = AsOf.validTime("at").orNullIfExpired();
    Dataset<Row> ofMay = labels("u1", MAY.plusSeconds(60), "u1", kept);
    assertThat(views(table.gatherAsOf(ofMay, List.of("user"), valid)))
        .as("the expiry records the latest time of those before")
        .containsExactly(18L, 18L);
    FeatureTable gone = table.snapshot(table.snapshot().getAsLong());
    table.scatter(views("u1", 1));
    table.expire(Retention.of(Duration.ZERO));
    assertThatThrownBy(() -> gone.gatherAsOf(labels, List.of("user"), orNull))
        .isInstanceOf(SparkNdException.class);
    assertThatThrownBy(() -> table.changesSince(gone))
        .isInstanceOf(SparkNdException.class)
        .hasMessageContaining("has no snapshot");
  }

  @Test
  void aBranchHasItsOwnHistory() {
    FeatureTable table = users();
    table.scatter(views("u1", 1));
    Instant both = committed(table);
    table.iceberg().manageSnapshots().createBranch("trial").commit();
    table.branch("trial").scatter(views("u1", 10));
    table.scatter(views("u1", 100));
    Dataset<Row> labels = labels("u1", both, "u1", Instant.now().plusSeconds(60));
    assertThat(views(table.branch("trial").gatherAsOf(labels, List.of("user"), "at")))
        .containsExactly(8L, 18L);
    assertThat(views(table.gatherAsOf(labels, List.of("user"), "at"))).containsExactly(8L, 108L);
  }

  @Test
  void rowsThatOthersDeletedAreGoneFromThenOn() {
    String name = TestTables.name();
    spark.sql(
        "CREATE TABLE "
            + name
            + " (user STRING NOT NULL, views BIGINT) USING iceberg TBLPROPERTIES"
            + " ('format-version' = '2', 'write.delete.mode' = 'merge-on-read',"
            + " 'write.update.mode' = 'merge-on-read')");
    spark.sql("INSERT INTO " + name + " SELECT 'u' || id, id FROM range(0, 100, 1, 1)");
    FeatureTable table =
        FeatureTable.adopt(spark, name, FeatureTableSpec.keyedBy("user", "string").withBuckets(2));
    Instant all = committed(table);
    spark.sql("DELETE FROM " + name + " WHERE user = 'u5'");
    Instant deleted = committed(table);
    spark.sql("UPDATE " + name + " SET views = 60 WHERE user = 'u6'");
    Instant updated = committed(table);
    table.compact();
    Dataset<Row> labels =
        labels(
            "u5", all, "u5", deleted, "u6", deleted, "u6", updated, "u7", updated.plusSeconds(60));
    assertThat(views(table.gatherAsOf(labels, List.of("user"), "at")))
        .containsExactly(5L, null, 6L, 60L, 7L);
  }

  @Test
  void numberedKeysAndVariablesThatCameLater() {
    FeatureTable table =
        FeatureTable.create(
            spark,
            TestTables.name(),
            FeatureTableSpec.numbered("id", 100).with(Variable.of("views", "bigint")));
    table.scatter(spark.sql("SELECT id, id AS views FROM range(50)"));
    Instant first = committed(table);
    table.addVariable(Variable.of("buys", "bigint").withFill(-1));
    table.scatter(spark.sql("SELECT 3L AS id, 30L AS views, 1L AS buys"));
    Instant last = committed(table);
    Dataset<Row> labels =
        spark.sql(
            "SELECT * FROM VALUES (0, 3L, %1$s), (1, 3L, %2$s), (2, 99L, %2$s) AS l(n, id, at)"
                .formatted(literal(first), literal(last)));
    assertThat(found(table.gatherAsOf(labels, List.of("id"), "at"), "views", "buys"))
        .containsExactly("{\"views\":3,\"buys\":-1}", "{\"views\":30,\"buys\":1}", "{\"buys\":-1}");
  }

  @Tag("slow")
  @Test
  void manySnapshotsAreReadInOneJob() {
    FeatureTable table = users("commit.manifest.min-count-to-merge", "3");
    List<Object> asked = new ArrayList<>();
    List<Object> expected = new ArrayList<>();
    for (int i = 1; i <= 12; i++) {
      table.scatter(views("u1", 1));
      table.scatter(views("u" + i, 100));
      asked.addAll(List.of("u1", committed(table)));
      expected.add(107L + i);
    }
    Dataset<Row> labels = labels(asked.toArray());
    assertThat(views(table.gatherAsOf(labels, List.of("user"), "at"))).isEqualTo(expected);
  }

  private static String call(String table, String labels, String options) {
    return "gather_nd_as_of(TABLE(" + table + "), TABLE(" + labels + ")" + options + ")";
  }

  @Test
  void sqlGathersWhatJavaGathers() {
    FeatureTable table = users();
    table.write().scatter(views("u1", 1)).validAt(MAY).commit();
    Instant first = committed(table);
    table.write().scatter(views("u1", 10)).validAt(MAY.plusSeconds(60)).commit();
    labels("u1", MAY, "u1", MAY.plusSeconds(60), "u1", first).createOrReplaceTempView("as_of");
    Dataset<Row> labels = spark.table("as_of");
    String select = "SELECT n, views FROM ";
    assertThat(views(spark.sql(select + call(table.name(), "as_of", ", at => 'AT'"))))
        .isEqualTo(views(table.gatherAsOf(labels, List.of("user"), "at")))
        .containsExactly(7L, 7L, 8L);
    String valid = ", at => 'at', clock => 'valid', value_columns => 'views', expired => 'null'";
    assertThat(views(spark.sql(select + call(table.name(), "as_of", valid))))
        .isEqualTo(views(table.gatherAsOf(labels, List.of("user"), AsOf.validTime("at"))))
        .containsExactly(8L, 18L, 18L);
    long snapshot = table.iceberg().history().get(0).snapshotId();
    String then = "SELECT * FROM " + table.name() + " VERSION AS OF " + snapshot;
    assertThat(views(spark.sql(select + call(then, "as_of", valid)))).containsExactly(8L, 8L, 8L);
    assertThat(
            spark
                .sql("EXPLAIN SELECT views FROM " + call(table.name(), "as_of", ", at => 'at'"))
                .head()
                .getString(0))
        .contains(
            "gather_nd_as_of(params => ",
            "value_columns => [views], ",
            "at => at, clock => commit");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "none",
      textBlock =
          """
          none                                   | needs the argument at
          at => 'when'                           | when
          at => 'user'                           | cast it to timestamp
          at => 'at', clock => 'wall'            | clock 'wall' is unknown
          at => 'at', expired => 'ignore'        | expired 'ignore' is unknown
          at => 'at', bad_indices => 'clip'      | bad_indices is 'clip'
          at => 'at', value_columns => 'nothing' | has no variable nothing
          """)
  void wrongArgumentsAreNamed(String options, String message) {
    String table = users().name();
    labels("u1", MAY).createOrReplaceTempView("as_of");
    String rest = options == null ? "" : ", " + options;
    assertThatThrownBy(() -> spark.sql("SELECT * FROM " + call(table, "as_of", rest)))
        .isInstanceOf(AnalysisException.class)
        .hasMessageContaining(message);
  }

  @Test
  void otherTablesHaveNoHistory() {
    labels("u1", MAY).createOrReplaceTempView("as_of");
    assertThatThrownBy(() -> spark.sql("SELECT * FROM " + call("as_of", "as_of", ", at => 'at'")))
        .isInstanceOf(AnalysisException.class)
        .hasMessageContaining("is neither a feature table nor a tensor table");
    FeatureTable table = users();
    Dataset<Row> labels = spark.sql("SELECT 'u1' AS user, 5 AS at");
    assertThatThrownBy(() -> table.gatherAsOf(labels, List.of("user"), "at"))
        .isInstanceOf(SparkNdException.class)
        .hasMessageContaining("column at is int");
  }

  @Test
  void timesStayKnownThroughOtherCommitsAndExpiry() {
    FeatureTable table = users();
    Instant midnight = Instant.now().plus(Duration.ofHours(8));
    table.write().scatter(views("u1", 1)).validAt(midnight).commit();
    table.write().scatter(views("u2", 1)).validAt(MAY).commit();
    table.evict("user = 'u3'");
    table.scatter(views("u2", 1));
    table.compact();
    table.expire(Retention.of(Duration.ZERO));
    AsOf valid = AsOf.validTime("at").orNullIfExpired();
    Dataset<Row> labels = labels("u1", midnight.minusSeconds(1), "u1", midnight.plusSeconds(1));
    assertThat(views(table.gatherAsOf(labels, List.of("user"), valid))).containsExactly(null, 8L);
  }

  /** A cherry-picked snapshot does not name the time of its batch. */
  @Test
  void timesOfPublishedBatchesStayKnownThroughExpiry() throws Exception {
    FeatureTable table = users();
    table.scatter(views("u1", 1));
    long first = table.snapshot().getAsLong();
    Instant midnight = Instant.now().plus(Duration.ofHours(8));
    spark
        .sql(
            "SELECT 'u2' AS user, 17L AS views, CAST(NULL AS STRING) AS city,"
                + " CAST(NULL AS ARRAY<FLOAT>) AS taste")
        .writeTo(table.name())
        .option("snapshot-property.sparknd.valid-at", midnight.toString())
        .append();
    Table iceberg = table.iceberg();
    iceberg.refresh();
    long picked = iceberg.currentSnapshot().snapshotId();
    iceberg.manageSnapshots().createBranch("audit", picked).commit();
    iceberg.manageSnapshots().rollbackTo(first).commit();
    table.scatter(views("u1", 1));
    iceberg.refresh();
    iceberg.manageSnapshots().cherrypick(picked).commit();
    iceberg.manageSnapshots().removeBranch("audit").commit();
    assertThat(iceberg.currentSnapshot().summary())
        .containsKey("source-snapshot-id")
        .doesNotContainKey("sparknd.valid-at");
    assertKnown(table, midnight);
    table.expire(Retention.of(Duration.ZERO));
    assertKnown(table, midnight);
    table.scatter(views("u1", 1));
    table.expire(Retention.of(Duration.ZERO));
    assertKnown(table, midnight);
    table.scatter(views("u1", 1));
    table.expire(Retention.of(Duration.ZERO));
    assertKnown(table, midnight);
  }

  private void assertKnown(FeatureTable table, Instant midnight) {
    AsOf valid = AsOf.validTime("at").orNullIfExpired();
    Dataset<Row> labels = labels("u2", midnight.minusSeconds(1), "u2", midnight.plusSeconds(1));
    assertThat(views(table.gatherAsOf(labels, List.of("user"), valid)))
        .isIn(Arrays.asList(7L, 17L), Arrays.asList(null, 17L));
  }

  /** As those of writers that another one overtook, commits of others do not carry its time. */
  @Test
  void timesStayKnownThroughCommitsOfOthersAndExpiry() {
    FeatureTable table = users();
    table.scatter(views("u1", 1));
    Instant midnight = Instant.now().plus(Duration.ofHours(8));
    table.write().scatter(views("u2", 10)).validAt(midnight).commit();
    spark.sql("DELETE FROM " + table.name() + " WHERE user = 'u1'");
    table.iceberg().refresh();
    table.expire(Retention.of(Duration.ZERO));
    assertKnown(table, midnight);
  }

  @Test
  void aTableThatBeganWithAPublicationHasNoStateBefore() throws InterruptedException {
    FeatureTable table = users("write.wap.enabled", "true");
    spark.conf().set("spark.wap.id", "first");
    long staged;
    try {
      staged = table.write().scatter(views("u1", 1)).commit().snapshot();
    } finally {
      spark.conf().unset("spark.wap.id");
    }
    Instant before = Instant.now();
    Thread.sleep(5); // the log has milliseconds
    table.iceberg().refresh();
    table.iceberg().manageSnapshots().cherrypick(staged).commit();
    Instant after = Instant.now().plusSeconds(1);
    assertThat(views(table.gatherAsOf(labels("u1", before, "u1", after), List.of("user"), "at")))
        .containsExactly(7L, 8L);
  }

  @Test
  void snapshotsOfThePastKeepTheirHistory() {
    FeatureTable table = users();
    table.scatter(views("u1", 1));
    long first = table.snapshot().getAsLong();
    table.scatter(views("u1", 100));
    Instant bad = committed(table);
    table.iceberg().manageSnapshots().rollbackTo(first).commit();
    table.scatter(views("u1", 10));
    FeatureTable pinned = table.snapshot(table.snapshot().getAsLong());
    Dataset<Row> labels = labels("u1", bad, "u1", Instant.now().plusSeconds(60));
    assertThat(views(pinned.gatherAsOf(labels, List.of("user"), "at"))).containsExactly(108L, 18L);
    table.scatter(views("u1", 1000));
    assertThat(views(pinned.gatherAsOf(labels, List.of("user"), "at"))).containsExactly(108L, 18L);
  }

  private FeatureTable visits() {
    return FeatureTable.create(
        spark,
        TestTables.name(),
        FeatureTableSpec.keyedBy("user", "string")
            .with(Variable.of("views", "bigint").reducedBy(VariableReduction.add()).withFill(7))
            .with(Variable.of("seen", "timestamp").reducedBy(VariableReduction.max()))
            .withTimeToLive(Duration.ofDays(2), "seen")
            .withBuckets(2));
  }

  private Dataset<Row> visit(String user, int views, Instant seen) {
    return spark.sql(
        "SELECT '%s' AS user, %dL AS views, %s AS seen".formatted(user, views, literal(seen)));
  }

  private static Optional<String> validAt(FeatureTable table) {
    table.iceberg().refresh();
    return Optional.ofNullable(table.iceberg().currentSnapshot().summary().get("sparknd.valid-at"));
  }

  /**
   * By the times of their commits, no label before today would be given a batch after the first.
   */
  @Test
  void evictionsOfACatchUpHideNoBatches() {
    FeatureTable table = visits();
    Instant day2 = MAY.plus(Duration.ofDays(1));
    Instant day3 = MAY.plus(Duration.ofDays(2));
    Dataset<Row> old = visit("old", 1, MAY.minus(Duration.ofDays(9)));
    table.write().scatter(old.union(visit("u1", 1, MAY))).validAt(MAY).commit();
    table.evictExpired(day2);
    assertThat(validAt(table)).contains(day2.toString());
    table.write().scatter(visit("u1", 10, day2)).validAt(day2).commit();
    assertThat(table.evictExpired(day3.plusSeconds(1), "of day 3").rows()).isZero();
    table.write().scatter(visit("u1", 100, day3)).validAt(day3.plusSeconds(2)).commit();
    Dataset<Row> labels =
        labels(
            "old",
            day2.minusNanos(1000),
            "old",
            day2,
            "u1",
            day2.minusNanos(1000),
            "u1",
            day2,
            "u1",
            day3.plusSeconds(1),
            "u1",
            day3.plusSeconds(2));
    AsOf valid = AsOf.validTime("at");
    assertThat(views(table.gatherAsOf(labels, List.of("user"), valid)))
        .containsExactly(8L, 7L, 8L, 18L, 18L, 118L);
    table.expire(Retention.of(Duration.ZERO));
    assertThat(views(table.gatherAsOf(labels, List.of("user"), valid.orNullIfExpired())))
        .containsExactly(null, null, null, null, null, 118L);
  }

  @Test
  void evictionsDeclareTheirTimeOrCountFromTheirCommit() {
    FeatureTable table = visits();
    Instant day2 = MAY.plus(Duration.ofDays(1));
    table.write().scatter(visit("u1", 1, MAY)).validAt(MAY).commit();
    table.scatter(visit("u2", 1, Instant.now().plus(Duration.ofDays(9))));
    table.eviction().batchId("e").validAt(MAY.plusSeconds(9)).evict("views > 8");
    assertThat(validAt(table)).contains("2026-05-01T00:00:09Z");
    long snapshot = table.snapshot().getAsLong();
    TableCommit again = table.eviction().batchId("e").validAt(day2).evict("views > 0");
    assertThat(again.outcome()).isEqualTo(TableCommit.Outcome.REPLAYED);
    assertThat(again.snapshot()).isEqualTo(snapshot);
    assertThat(validAt(table)).contains("2026-05-01T00:00:09Z");

    assertThat(table.eviction().validAt(MAY).evictExpired().outcome())
        .as("by then, no row was two days old")
        .isEqualTo(TableCommit.Outcome.EMPTY);
    assertThat(table.eviction().validAt(day2).evictExpired(Instant.now()).rows()).isEqualTo(1);
    assertThat(validAt(table)).contains(day2.toString());
    assertThat(table.evictExpired(Instant.now().plus(Duration.ofDays(99))).rows()).isEqualTo(1);
    assertThat(validAt(table)).as("a time of the future").isEmpty();
    table.eviction().batchId("f").evictExpired();
    assertThat(validAt(table)).as("no time was given").isEmpty();
    table.eviction().batchId("g").evictExpired(Instant.MIN);
    assertThat(validAt(table)).as("no time of Spark's").isEmpty();
    assertThatThrownBy(() -> table.eviction().validAt(Instant.MAX))
        .hasMessageContaining("no 64-bit number of microseconds");
    assertThatThrownBy(() -> table.snapshot(snapshot).eviction())
        .isInstanceOf(SparkNdException.class);
  }

  /** As the page of training sets says. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "UPDATE %s SET views = 9 WHERE user = 'u1' | true",
        "MERGE INTO %s AS t USING (SELECT 'u1' AS user) AS s ON t.user = s.user WHEN MATCHED THEN"
            + " UPDATE SET views = 9 | true",
        "DELETE FROM %s WHERE views = 8 AND user = 'u2' | true",
        "DELETE FROM %s | false"
      })
  void statementsOfIcebergDeclareTheirTimeByASetting(String statement, boolean isDeclared) {
    FeatureTable table = visits();
    table
        .write()
        .scatter(visit("u1", 1, MAY).union(visit("u2", 1, MAY)).union(visit("u3", 2, MAY)))
        .validAt(MAY)
        .commit();
    SparkSession extended = TestTables.withExtensions();
    String time = MAY.plusSeconds(60).toString();
    extended.conf().set("spark.sql.iceberg.snapshot-property.sparknd.valid-at", time);
    extended.sql(statement.formatted(table.name()));
    assertThat(validAt(table)).isEqualTo(isDeclared ? Optional.of(time) : Optional.empty());
    table.write().scatter(visit("u3", 10, MAY)).validAt(MAY.plusSeconds(70)).commit();
    Dataset<Row> labels = labels("u3", MAY.plusSeconds(69), "u3", MAY.plusSeconds(70));
    assertThat(views(table.gatherAsOf(labels, List.of("user"), AsOf.validTime("at"))))
        .containsExactly(9L, isDeclared ? 19L : 9L);
  }

  /** Such a snapshot would count from its commit, and hide all later batches of a catch-up. */
  @ParameterizedTest
  @ValueSource(strings = {"2026-05-01", "2026-05-01T00:00", "2026-05-01 00:01:00", ""})
  void timesThatAreNoneAreErrorsOfGathersThatNeedThem(String time) {
    FeatureTable table = visits();
    table.write().scatter(visit("u1", 1, MAY)).validAt(MAY).commit();
    long before = table.snapshot().getAsLong();
    SparkSession extended = TestTables.withExtensions();
    extended.conf().set("spark.sql.iceberg.snapshot-property.sparknd.valid-at", time);
    extended.sql("UPDATE %s SET views = 9".formatted(table.name()));
    table.iceberg().refresh();
    long updated = table.snapshot().getAsLong();
    table.write().scatter(visit("u1", 10, MAY)).validAt(MAY.plusSeconds(70)).commit();
    Dataset<Row> labels = labels("u1", MAY.plusSeconds(70));
    AsOf valid = AsOf.validTime("at");
    assertThatThrownBy(() -> table.gatherAsOf(labels, List.of("user"), valid))
        .isInstanceOf(SparkNdException.class)
        .hasMessageContaining("snapshot " + updated + " of table")
        .hasMessageContaining("sparknd.valid-at '" + time + "'");
    assertThat(views(table.snapshot(before).gatherAsOf(labels, List.of("user"), valid)))
        .containsExactly(8L);
    Dataset<Row> today = labels("u1", Instant.now());
    assertThat(views(table.gatherAsOf(today, List.of("user"), AsOf.commitTime("at"))))
        .containsExactly(19L);
    table.expire(Retention.of(Duration.ZERO));
    assertThat(views(table.gatherAsOf(today, List.of("user"), valid))).containsExactly(19L);
  }

  @Test
  void timesAreNeverRoundedDown() {
    FeatureTable table = users();
    table.write().scatter(views("u1", 1)).validAt(MAY.plusNanos(1)).commit();
    Dataset<Row> labels = labels("u1", MAY, "u1", MAY.plusNanos(1000));
    assertThat(views(table.gatherAsOf(labels, List.of("user"), AsOf.validTime("at"))))
        .as("no label before the time is given the batch")
        .containsExactly(7L, 8L);
    assertThat(table.iceberg().currentSnapshot().summary())
        .containsEntry("sparknd.valid-at", "2026-05-01T00:00:00.000000001Z");
    assertThatThrownBy(() -> table.write().validAt(Instant.MAX))
        .isInstanceOf(SparkNdException.class)
        .hasMessageContaining("no 64-bit number of microseconds");
  }

  /** As a cast of the dates would: Spark fixes the time zone when it analyzes a query. */
  @Test
  void datesAreTimesInTheTimeZoneOfTheirQuery() {
    FeatureTable table = users();
    table.write().scatter(views("u1", 1)).validAt(MAY.plus(Duration.ofHours(12))).commit();
    table.write().scatter(views("u1", 10)).validAt(MAY.plus(Duration.ofHours(20))).commit();
    String query =
        "SELECT 0 AS n, views FROM "
            + call(
                table.name(),
                "SELECT 'u1' AS user, DATE'2026-05-02' AS day",
                ", at => 'day', clock => 'valid', expired => 'null'");
    String zone = spark.conf().get("spark.sql.session.timeZone");
    try {
      spark.conf().set("spark.sql.session.timeZone", "Asia/Tokyo");
      Dataset<Row> tokyo = spark.sql(query).cache();
      tokyo.createOrReplaceTempView("in_tokyo");
      spark.sql("CREATE OR REPLACE TEMP VIEW view_of_tokyo AS " + query);
      spark.conf().set("spark.sql.session.timeZone", "UTC");
      for (String view : List.of("in_tokyo", "view_of_tokyo")) {
        assertThat(views(spark.table(view))).as(view).containsExactly(8L);
      }
      assertThat(views(spark.sql(query))).containsExactly(18L);
      tokyo.unpersist();
      assertThat(views(spark.table("in_tokyo"))).containsExactly(8L);
    } finally {
      spark.conf().set("spark.sql.session.timeZone", zone);
    }
  }

  /** Strings that are equal by a collation would be keys of several rows. */
  @Test
  void keysHaveNoCollation() {
    FeatureTable table = users();
    Dataset<Row> labels = spark.sql("SELECT 'U1' COLLATE UTF8_LCASE AS user");
    assertThatThrownBy(() -> table.gather(labels, List.of("user"), "views"))
        .isInstanceOf(SparkNdException.class)
        .hasMessageContaining("string collate UTF8_LCASE");
    Dataset<Row> updates = labels.selectExpr("user", "1L AS views");
    assertThatThrownBy(() -> table.scatter(updates))
        .isInstanceOf(SparkNdException.class)
        .hasMessageContaining("cast it");
    table.scatter(updates.selectExpr("CAST(user AS string) AS user", "views"));
  }
}
