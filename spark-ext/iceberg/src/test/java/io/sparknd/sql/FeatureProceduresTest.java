/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparknd.table.FeatureTable;
import io.sparknd.table.TensorTable;
import io.sparknd.table.TestTables;
import io.sparknd.table.internal.store.SnapshotProperties;
import io.sparknd.tensor.SparkNdException;
import java.time.Instant;
import java.util.List;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.iceberg.types.Types;
import org.apache.spark.sql.AnalysisException;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the procedures {@code CALL nd.system.…} on feature tables, and of adopted tables. */
class FeatureProceduresTest {
  private final SparkSession spark = TestTables.spark();
  private final String table = TestTables.name();

  @BeforeEach
  void makeCatalog() {
    spark.conf().set("spark.sql.catalog.nd", NdCatalog.class.getName());
    SparkSession.setActiveSession(spark);
  }

  @AfterEach
  void dropWhatWasMade() {
    spark.sql("DROP TABLE IF EXISTS " + table);
  }

  private Row call(String procedure, String arguments) {
    return spark.sql("CALL nd.system." + procedure + "('" + table + "'" + arguments + ")").first();
  }

  private List<String> json(String statement) {
    return spark.sql(statement).toJSON().collectAsList();
  }

  private List<String> rows() {
    return spark.sql("SELECT * FROM " + table + " ORDER BY 1").toJSON().collectAsList();
  }

  private Row create() {
    return call(
        "create_features",
        ", keys => 'user STRING', variables => 'views BIGINT, seen TIMESTAMP, city STRING, taste"
            + " ARRAY<FLOAT>, recent ARRAY<STRING>', reductions => map('views', 'add', 'seen',"
            + " 'max', 'city', 'last(seen)', 'taste', 'add', 'recent', 'last_n(2)'), fills =>"
            + " map('views', '0'), shapes => map('taste', 'float32[2]'), buckets => 2, ttl =>"
            + " INTERVAL 30 DAYS, ttl_column => 'seen', properties => map('owner.team', 'ads')");
  }

  private static final String EVENTS =
      "SELECT * FROM VALUES (\"u1\", 1L, timestamp\"2026-01-02\", \"Oslo\", array(1F, 2F)), (\"u1\","
          + " 2L, timestamp\"2026-01-01\", \"Rome\", NULL), (\"u2\", 5L, NULL, NULL, NULL) AS"
          + " e(user, views, seen, city, taste)";

  /** As in CREATE TABLE. */
  @Test
  void variableThatIsNotNullIsRefused() {
    String arguments = ", keys => 'user STRING NOT NULL', variables => 'views BIGINT NOT NULL'";
    assertThatThrownBy(() -> call("create_features", arguments))
        .isInstanceOf(SparkNdException.class)
        .hasMessageContaining("variable views of table " + table + " is NOT NULL");
  }

  @Test
  void featureTableIsCreatedWrittenAndKept() {
    assertThat(create().mkString("|"))
        .isEqualTo(
            table
                + "|ArraySeq(user)|ArraySeq(views, seen, city, taste, recent)|"
                + "bucket[2](user)");
    assertThat(FeatureTable.open(spark, table).iceberg().properties())
        .containsEntry("owner.team", "ads")
        .containsEntry("sparknd.ttl", "PT720H");
    Row first = call("scatter_nd", ", updates => '" + EVENTS + "', batch_id => 'a'");
    assertThat(first.<String>getAs("outcome")).isEqualTo("committed");
    assertThat(first.<Long>getAs("updates")).isEqualTo(3);
    assertThat(first.<Long>getAs("rows")).isEqualTo(2);
    assertThat(call("scatter_nd", ", '" + EVENTS + "', batch_id => 'a'").<String>getAs("outcome"))
        .isEqualTo("replayed");
    assertThat(json("SELECT user, views, date(seen), city, taste FROM " + table + " ORDER BY 1"))
        .containsExactly(
            "{\"user\":\"u1\",\"views\":3,\"seen\":\"2026-01-02\",\"city\":\"Oslo\","
                + "\"taste\":[1.0,2.0]}",
            "{\"user\":\"u2\",\"views\":5}");
    Row info = call("info", "");
    assertThat(info.<Long>getAs("rows")).isEqualTo(2);
    assertThat(info.<String>getList(info.fieldIndex("key_columns"))).containsExactly("user");
    assertThat(info.<Long>getAs("bytes")).isPositive();
    call("scatter_nd", ", 'SELECT \"u1\" AS user, 10L AS views'");
    List<String> before = rows();
    assertThat(call("compact", "").<String>getAs("outcome")).isIn("committed", "empty");
    call("expire", ", older_than => current_timestamp() + INTERVAL 1 HOUR");
    assertThat(spark.sql("CALL nd.system.remove_orphans('" + table + "')").count()).isZero();
    assertThat(rows()).isEqualTo(before);
    assertThat(spark.sql("CALL nd.system.check('" + table + "')").count()).isZero();
  }

  @Test
  void snapshotsOfTheTimeOfAnExpiryStay() {
    call("create_features", ", keys => 'user STRING', variables => 'views BIGINT'");
    for (int i = 0; i < 3; i++) {
      call("scatter_nd", ", 'SELECT \"u1\" AS user, 10L AS views'");
    }
    Table iceberg = FeatureTable.open(spark, table).iceberg();
    Snapshot second = iceberg.snapshot(iceberg.currentSnapshot().parentId());
    Instant time = Instant.ofEpochMilli(second.timestampMillis());
    call("expire", ", older_than => TIMESTAMP '" + time.plusNanos(-1000) + "'");
    call("expire", ", older_than => TIMESTAMP '" + time + "'");
    iceberg.refresh();
    assertThat(iceberg.snapshots()).extracting(Snapshot::snapshotId).contains(second.snapshotId());
    call("expire", ", older_than => TIMESTAMP '" + time.plusNanos(1000) + "'");
    iceberg.refresh();
    assertThat(iceberg.snapshots()).hasSize(1);
  }

  @Test
  void keysMayBeUuids() {
    call(
        "create_features",
        ", keys => 'shop STRING, id UUID', variables => 'views BIGINT', reductions => map('views',"
            + " 'add'), bucket_column => 'id', buckets => 2");
    assertThat(FeatureTable.open(spark, table).iceberg().schema().findType("id"))
        .isEqualTo(Types.UUIDType.get());
    String id = "f0e1d2c3-0001-4002-8003-00000000abcd";
    String updates =
        "SELECT * FROM VALUES (\"a\", \"%s\", 1L), (\"a\", upper(\"%s\"), 2L), (\"b\", \"%s\", 4L) AS"
            + " t(shop, id, views)";
    Row commit = call("scatter_nd", ", '" + updates.replace("%s", id) + "'");
    assertThat(commit.<Long>getAs("rows")).isEqualTo(2);
    assertThat(rows())
        .containsExactly(
            "{\"shop\":\"a\",\"id\":\"" + id + "\",\"views\":3}",
            "{\"shop\":\"b\",\"id\":\"" + id + "\",\"views\":4}");
    assertThat(json("SELECT views FROM " + table + " WHERE id = '" + id + "' AND shop = 'b'"))
        .containsExactly("{\"views\":4}");
    assertThat(
            json(
                "SELECT shop, views FROM gather_nd(TABLE("
                    + table
                    + "), TABLE(SELECT explode(array('a', 'c')) AS shop, upper('"
                    + id
                    + "') AS id)) ORDER BY shop"))
        .containsExactly("{\"shop\":\"a\",\"views\":3}", "{\"shop\":\"c\"}");
    assertThatThrownBy(
            () -> call("scatter_nd", ", 'SELECT \"a\" AS shop, \"f0e1\" AS id, 1L AS views'"))
        .hasMessageContaining("key column id is 'f0e1'");
  }

  @Test
  void keysMayHaveOtherNamesAndBeNull() {
    create();
    String updates =
        "SELECT k AS `the user`, v AS views FROM VALUES (\"u1\", 3L), (NULL, 1L) AS t(k, v)";
    assertThatThrownBy(() -> call("scatter_nd", ", '" + updates + "', index_columns => 'the user'"))
        .hasMessageContaining("key column user is NULL");
    Row commit =
        call(
            "scatter_nd",
            ", '" + updates + "', index_columns => array('the user'), bad_indices => 'ignore'");
    assertThat(commit.<Long>getAs("dropped")).isEqualTo(1);
    assertThat(rows()).hasSize(1);
    call(
        "scatter_nd",
        ", 'SELECT * FROM VALUES (\"u1\", 8L), (\"u1\", 2L) AS t(user, views)', order_by =>"
            + " 'views', reduction => 'update'");
    assertThat(rows().get(0)).contains("\"views\":8");
    assertThatThrownBy(
            () -> call("scatter_nd", ", 'SELECT 1 AS user, 2 AS k', index_columns => 'k'"))
        .isInstanceOf(SparkNdException.class)
        .hasMessageContaining("user");
    for (String argument :
        List.of(
            "value_column => 'v'",
            "negative => 'wrap'",
            "include_self => true",
            "duplicates => 'error'",
            "if_changed => 'fail'",
            "bad_indices => 'clip'")) {
      assertThatThrownBy(() -> call("scatter_nd", ", '" + updates + "', " + argument))
          .as(argument)
          .hasMessageContaining("is for tensor tables, but " + table + " is a feature table");
    }
    assertThatThrownBy(() -> call("info", ", array(4)")).isInstanceOf(SparkNdException.class);
  }

  @Test
  void evictTakesAConditionOrTheTimeToLive() {
    create();
    call("scatter_nd", ", '" + EVENTS + "'");
    call("scatter_nd", ", 'SELECT \"new\" AS user, current_timestamp() AS seen'");
    Row expired = call("evict", "");
    assertThat(expired.<Long>getAs("rows")).isEqualTo(1);
    assertThat(json("SELECT user FROM " + table + " ORDER BY 1"))
        .containsExactly("{\"user\":\"new\"}", "{\"user\":\"u2\"}");
    Row evicted = call("evict", ", where => 'views = 5 AND user LIKE ''u%''', batch_id => 'e'");
    assertThat(evicted.<String>getAs("outcome")).isEqualTo("committed");
    assertThat(evicted.<Long>getAs("rows")).isEqualTo(1);
    assertThat(call("evict", ", where => 'true', batch_id => 'e'").<String>getAs("outcome"))
        .isEqualTo("replayed");
    assertThat(rows()).hasSize(1);
    for (String where : List.of("views = ", "nothing > 1", "1; DROP TABLE " + table, "views")) {
      assertThatThrownBy(() -> call("evict", ", where => '" + where + "'"))
          .as(where)
          .isInstanceOf(AnalysisException.class);
    }
    assertThat(rows()).hasSize(1);
  }

  @Test
  void batchesDeclareTheirTime() {
    create();
    call("scatter_nd", ", '" + EVENTS + "', valid_at => TIMESTAMP'2026-01-03 00:00:00+00:00'");
    String label = "SELECT \"u2\" AS user, TIMESTAMP'%s 00:00:00+00:00' AS at";
    String gather = "SELECT views FROM gather_nd_as_of(TABLE(%s), TABLE(%s), 'at', 'valid')";
    assertThat(json(gather.formatted(table, label.formatted("2026-01-02"))))
        .containsExactly("{\"views\":0}");
    assertThat(json(gather.formatted(table, label.formatted("2026-01-03"))))
        .containsExactly("{\"views\":5}");
  }

  /** Labels between the two times would get a city before its event. */
  @Test
  void anOrderAfterTheTimeOfItsBatchIsAnError() {
    create();
    assertThatThrownBy(
            () ->
                call(
                    "scatter_nd",
                    ", '" + EVENTS + "', valid_at => TIMESTAMP'2026-01-01 23:00:00Z'"))
        .hasMessageContaining("variable city of table")
        .hasMessageContaining("at (user = 'u1') is of 2026-01-02T00:00:00Z, after the valid_at")
        .hasMessageContaining("2026-01-01T23:00:00Z");
    assertThat(rows()).isEmpty();
    String cityless = "SELECT * EXCEPT (city) FROM (" + EVENTS + ")";
    call("scatter_nd", ", '" + cityless + "', valid_at => TIMESTAMP'2026-01-01 23:00:00Z'");
    call("scatter_nd", ", '" + EVENTS.replace("2026", "2926") + "'");
    assertThat(rows()).hasSize(2);
  }

  @Test
  void aBatchThatIsSentAgainHasTheSameTime() {
    create();
    String first =
        ", '" + EVENTS + "', batch_id => 'a', valid_at => TIMESTAMP'2026-01-03 00:00:00Z'";
    assertThat(call("scatter_nd", first).<String>getAs("outcome")).isEqualTo("committed");
    assertThat(call("scatter_nd", first).<String>getAs("outcome")).isEqualTo("replayed");
    assertThat(call("scatter_nd", ", '" + EVENTS + "', batch_id => 'a'").<String>getAs("outcome"))
        .isEqualTo("replayed");
    assertThatThrownBy(() -> call("scatter_nd", first.replace("-03 ", "-04 ")))
        .hasMessageContaining("has batch 'a' with valid_at 2026-01-03T00:00:00Z")
        .hasMessageContaining("sent again with 2026-01-04T00:00:00Z");
  }

  /** With the time of its commit, an eviction would hide the batch after it. */
  @Test
  void evictionsDeclareTheirTime() {
    create();
    String valid = ", valid_at => TIMESTAMP'2026-%s 00:00:00+00:00'";
    call("scatter_nd", ", '" + EVENTS + "'" + valid.formatted("01-03"));
    assertThat(call("evict", valid.formatted("01-31")).<Long>getAs("rows"))
        .as("u1 was seen less than 30 days before")
        .isZero();
    assertThat(call("evict", valid.formatted("02-03")).<Long>getAs("rows")).isEqualTo(1);
    String u3 = "SELECT \"u3\" AS user, 4L AS views";
    call("scatter_nd", ", '" + u3 + "'" + valid.formatted("02-04"));
    call("evict", ", where => 'views = 5', batch_id => 'e'" + valid.formatted("02-05"));
    call("scatter_nd", ", '" + u3 + "'" + valid.formatted("02-06"));
    String labels =
        "SELECT user, day, CAST(day AS TIMESTAMP) AS at FROM VALUES ('u1', DATE'2026-02-02'), ('u1',"
            + " DATE'2026-02-04'), ('u2', DATE'2026-02-04'), ('u2', DATE'2026-02-06'), ('u3',"
            + " DATE'2026-02-05'), ('u3', DATE'2026-02-07') AS l(user, day)";
    String gather = "SELECT user, views FROM gather_nd_as_of(TABLE(%s), TABLE(%s), 'at', 'valid')";
    assertThat(json(gather.formatted(table, labels) + " ORDER BY user, day"))
        .containsExactly(
            "{\"user\":\"u1\",\"views\":3}",
            "{\"user\":\"u1\",\"views\":0}",
            "{\"user\":\"u2\",\"views\":5}",
            "{\"user\":\"u2\",\"views\":0}",
            "{\"user\":\"u3\",\"views\":4}",
            "{\"user\":\"u3\",\"views\":8}");
  }

  /** Java's old classes of times have another calendar before October 1582. */
  @ParameterizedTest
  @CsvSource({
    "1500-03-01T00:00:00Z, false",
    "1582-10-10T01:02:03.000004Z, false",
    "1500-03-01T00:00:00Z, true"
  })
  void timesOfBatchesMayBeOfAnyCentury(Instant time, boolean isJavaTime) {
    create();
    spark.conf().set("spark.sql.datetime.java8API.enabled", isJavaTime);
    try {
      for (String given : List.of("TIMESTAMP'" + time + "'", "'" + time + "'")) {
        call("scatter_nd", ", 'SELECT \"u1\" AS user, 1L AS views', valid_at => " + given);
        assertThat(FeatureTable.open(spark, table).iceberg().currentSnapshot().summary())
            .containsEntry(SnapshotProperties.VALID_AT, time.toString());
      }
    } finally {
      spark.conf().unset("spark.sql.datetime.java8API.enabled");
    }
  }

  /** As a cast to a timestamp reads them. */
  @Test
  void timesOfBatchesMayBeTextsInTheTimeZoneOfTheSession() {
    create();
    String zone = spark.conf().get("spark.sql.session.timeZone");
    spark.conf().set("spark.sql.session.timeZone", "America/New_York");
    try {
      call("scatter_nd", ", '" + EVENTS + "', valid_at => '2026-1-3 01:02'");
    } finally {
      spark.conf().set("spark.sql.session.timeZone", zone);
    }
    String gather =
        "SELECT views FROM gather_nd_as_of(TABLE(%s), TABLE(SELECT 'u2' AS user, TIMESTAMP'%s' AS"
            + " at), 'at', 'valid')";
    assertThat(json(gather.formatted(table, "2026-01-03 06:01:59+00:00")))
        .containsExactly("{\"views\":0}");
    assertThat(json(gather.formatted(table, "2026-01-03 06:02:00+00:00")))
        .containsExactly("{\"views\":5}");
  }

  @Test
  void changesAreAView() {
    create();
    call("scatter_nd", ", '" + EVENTS + "', batch_id => 'a'");
    long first = FeatureTable.open(spark, table).snapshot().getAsLong();
    call("scatter_nd", ", 'SELECT \"u2\" AS user, 1L AS views'");
    String view = call("changes", ", since_batch => 'a'").getString(0);
    assertThat(view).isEqualTo(table.substring(table.lastIndexOf('.') + 1) + "_changes");
    assertThat(json("SELECT user, views, _change_type, _changed_variables FROM " + view))
        .containsExactly(
            "{\"user\":\"u2\",\"views\":6,\"_change_type\":\"UPDATE_AFTER\",\"_changed_variables\":[\"views\"]}");
    call("changes", ", since_snapshot => " + first + ", view => 'differing'");
    assertThat(json("SELECT user FROM differing")).containsExactly("{\"user\":\"u2\"}");
    for (String since : List.of("", ", since_batch => 'a', since_snapshot => " + first)) {
      assertThatThrownBy(() -> call("changes", since))
          .isInstanceOf(SparkNdException.class)
          .hasMessageContaining("needs since_batch or since_snapshot");
    }
  }

  @Test
  void describeSaysWhatEachColumnIs() {
    create();
    call("scatter_nd", ", '" + EVENTS + "'");
    String described = "column, role, type, dtype, shape, fill, reduction, state_columns AS state";
    spark.sql("CALL nd.system.describe('" + table + "')").createOrReplaceTempView("described_now");
    assertThat(json("SELECT " + described + " FROM described_now"))
        .containsExactly(
            "{\"column\":\"user\",\"role\":\"key\",\"type\":\"STRING\",\"state\":[]}",
            "{\"column\":\"views\",\"role\":\"variable\",\"type\":\"BIGINT\",\"dtype\":\"int64\","
                + "\"shape\":[],\"fill\":\"0\",\"reduction\":\"add\",\"state\":[]}",
            "{\"column\":\"seen\",\"role\":\"variable\",\"type\":\"TIMESTAMP\",\"dtype\":\"int64\","
                + "\"shape\":[],\"reduction\":\"max\",\"state\":[]}",
            "{\"column\":\"city\",\"role\":\"variable\",\"type\":\"STRING\","
                + "\"reduction\":\"last by seen\",\"state\":[\"city__seen\"]}",
            "{\"column\":\"taste\",\"role\":\"variable\",\"type\":\"ARRAY<FLOAT>\","
                + "\"dtype\":\"float32\",\"shape\":[2],\"reduction\":\"add\",\"state\":[]}",
            "{\"column\":\"recent\",\"role\":\"variable\",\"type\":\"ARRAY<STRING>\","
                + "\"reduction\":\"last_n of 2\",\"state\":[]}",
            "{\"column\":\"city__seen\",\"role\":\"state\",\"type\":\"TIMESTAMP\",\"state\":[]}");
    assertThat(json("SELECT DISTINCT kind, axis, partitions, rows FROM described_now"))
        .containsExactly(
            "{\"kind\":\"features\",\"axis\":\"keys\",\"partitions\":\"bucket[2](user)\","
                + "\"rows\":2}");
    spark.sql("DROP VIEW described_now");
  }

  @Test
  void describeKnowsTensorsAndOtherTables() {
    call("create_tensor", ", 'float32', array(8, 2), rows_per_block => 4, fill => 7");
    call("scatter_nd", ", 'SELECT id, array(1F, 2F) AS v FROM range(5)'");
    assertThat(json("CALL nd.system.describe('" + table + "')"))
        .containsExactly(
            "{\"kind\":\"tensor\",\"column\":\"i0\",\"role\":\"index\",\"type\":\"BIGINT\","
                + "\"state_columns\":[],\"axis\":\"numbered\",\"size\":8,"
                + "\"partitions\":\"truncate[4](i0)\",\"blocks\":2,\"rows\":5,"
                + "\"rows_per_block\":3,\"largest_block\":4}",
            "{\"kind\":\"tensor\",\"column\":\"value\",\"role\":\"value\","
                + "\"type\":\"ARRAY<FLOAT>\",\"dtype\":\"float32\",\"shape\":[2],\"fill\":\"7.0\","
                + "\"state_columns\":[],\"axis\":\"numbered\",\"size\":8,"
                + "\"partitions\":\"truncate[4](i0)\",\"blocks\":2,\"rows\":5,"
                + "\"rows_per_block\":3,\"largest_block\":4}");
    spark.sql("DROP TABLE " + table);
    spark.sql("CREATE TABLE " + table + " (i bigint, v string) USING iceberg");
    assertThat(json("CALL nd.system.describe('" + table + "')"))
        .hasSize(2)
        .allMatch(row -> row.contains("\"kind\":\"table\"") && row.contains("\"role\":\"other\""));
  }

  @Test
  void checkFindsWhatOtherEnginesWrote() {
    create();
    spark.sql(
        "INSERT INTO "
            + table
            + " (user, city, taste) VALUES ('a', 'Rome', NULL), ('a', NULL,"
            + " array(1F)), ('b', NULL, NULL)");
    assertThat(json("CALL nd.system.check('" + table + "')"))
        .containsExactly(
            "{\"problem\":\"key in more than one row\",\"rows\":1,"
                + "\"example\":\"{\\\"user\\\":\\\"a\\\"}\"}",
            "{\"problem\":\"value of city without city__seen\",\"rows\":1,"
                + "\"example\":\"{\\\"user\\\":\\\"a\\\"}\"}",
            "{\"problem\":\"length of taste\",\"rows\":1,"
                + "\"example\":\"{\\\"user\\\":\\\"a\\\"}\"}");
  }

  @Test
  void adoptedTableIsAFeatureTable() {
    spark.sql(
        "CREATE TABLE "
            + table
            + " (user string, `n.v` bigint, seen timestamp, note string) USING"
            + " iceberg TBLPROPERTIES ('format-version' = '3')");
    spark.sql("INSERT INTO " + table + " SELECT concat('u', id), id, NULL, NULL FROM range(10)");
    Row adopted =
        call(
            "adopt",
            ", keys => 'user', reductions => map('n.v', 'add', 'note', 'last(`seen`)'), fills =>"
                + " map('n.v', '0'), buckets => 2, ttl => INTERVAL '1 12:00:00' DAY TO SECOND,"
                + " ttl_column => 'seen'");
    assertThat(adopted.<String>getAs("partitions")).isEqualTo("bucket[2](user)");
    call("scatter_nd", ", 'SELECT concat(\"u\", id) AS user, 100L AS `n.v` FROM range(5, 15)'");
    assertThat(spark.sql("SELECT sum(`n.v`), count(*) FROM " + table).first().mkString(" "))
        .isEqualTo("1045 15");
    assertThatThrownBy(() -> call("adopt", ", keys => 'user'")).hasMessageContaining("already");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          create_features | , 'user STRING', 'n BIGINT', map('m', 'add')          | names m, which is not among the variables [n]
          create_features | , 'user STRING', 'n BIGINT', map('n', 'plus')         | reduction 'plus' is unknown
          create_features | , 'user STRING', 'n BIGINT', map('n', 'add(n)')       | reduction 'add(n)' is unknown
          create_features | , 'user STRING', 'n BIGINT', map('n', 'last(t)')      | ordered by t, which is not a variable of the table: add t to the variables
          create_features | , 'user STRING', 'n BIGINT', map('n', 'last_n(0)')    | needs the option size: write last_n(10), or set the property sparknd.variable.NAME.size
          create_features | , 'user STRING', 'n BIGINT', map('n', 'last')         | reduction 'last' needs the option order: write last(VARIABLE), or set the property sparknd.variable.NAME.order
          create_features | , 'user STRING', 'n BIGINT', map('n', 'add'), windows => map('n', '7 days'), tiles => map('n', '1 day') | reduction 'add in windows' needs the option order: write add(TIME)
          create_features | , 'user STRING', 'n ARRAY<BIGINT>', map('n', 'last_n(5)'), windows => map('n', '7 days'), tiles => map('n', '1 day') | reduction 'last_n in windows' needs the option order: write last_n(10, TIME)
          create_features | , 'user STRING', 'n BIGINT', map('n', 'update'), windows => map('n', '7 days'), tiles => map('n', '1 day') | reduction 'update' is not defined in windows
          create_features | , 'user STRING', 'n BIGINT', map('n', NULL)           | reductions
          create_features | , 'user DOUBLE', 'n BIGINT'                           | a key is string
          create_features | , 'user STRING', 'user BIGINT'                        | duplicate
          create_features | , 'user STRING', 'n BIGINT', fills => map('n', 'x')   | which is not a bigint
          create_features | , 'user STRING', 'n BIGINT', shapes => map('n', '?')  | write a dtype, a shape or both
          create_features | , 'user STRING', 'n BIGINT', shapes => map('n', 'int64[2]') | cannot hold slices
          create_features | , 'user STRING', 'n ARRAY<STRING>', shapes => map('n', '[2]') | whose elements have no dtype, and has shape [2]: declare no shape
          create_features | , 'user STRING', 'n BIGINT', buckets => -5000000000   | buckets is -1
          create_features | , 'user STRING', 'n BIGINT', ttl => INTERVAL 1 DAY    | requires argument 'ttl_column'
          create_features | , 'user STRING', 'n TIMESTAMP', ttl => INTERVAL 0 DAY, ttl_column => 'n' | is not a positive duration
          create_features | , 'user STRING', NULL                                 | requires argument 'variables'
          adopt           | , 'user'                                              | does not exist
          adopt           |                                                       | requires argument 'keys'
          evict           |                                                       | does not exist
          describe        |                                                       | does not exist
          """)
  void invalidArgumentsAreRejectedWithAReason(String procedure, String arguments, String message) {
    if (procedure.equals("adopt") && arguments == null) {
      spark.sql("CREATE TABLE " + table + " (user string) USING iceberg");
    }
    assertThatThrownBy(() -> call(procedure, arguments == null ? "" : arguments))
        .isInstanceOf(SparkNdException.class)
        .hasMessageContaining(message.strip());
    spark.sql("DROP TABLE IF EXISTS " + table);
  }

  /** The elements have another id than in a table without the column from the beginning. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void columnsMayBeDroppedAroundAnAdoption(boolean adoptedBefore) {
    spark.sql(
        "CREATE TABLE "
            + table
            + " (user bigint, vec array<float>, note string) USING iceberg PARTITIONED BY"
            + " (truncate(4, user)) TBLPROPERTIES ('format-version' = '3')");
    spark.sql("INSERT INTO " + table + " SELECT id, array(float(id), 1F), 'x' FROM range(2)");
    Runnable adoption =
        () ->
            call(
                "adopt_tensor",
                ", dtype => 'float32', shape => array(8, 2), index_columns => 'user',"
                    + " value_columns => 'vec'");
    Runnable drop = () -> spark.sql("ALTER TABLE " + table + " DROP COLUMN note");
    (adoptedBefore ? List.of(adoption, drop) : List.of(drop, adoption)).forEach(Runnable::run);
    call("scatter_nd", ", 'SELECT * FROM VALUES (1, array(10F, 10F)), (7, array(1F, 1F))'");
    List<String> expected =
        List.of(
            "{\"user\":0,\"vec\":[0.0,1.0]}",
            "{\"user\":1,\"vec\":[11.0,11.0]}",
            "{\"user\":7,\"vec\":[1.0,1.0]}");
    assertThat(rows()).containsExactlyElementsOf(expected);
    spark.sql("CALL nd.system.compact('" + table + "')");
    assertThat(rows()).containsExactlyElementsOf(expected);
  }

  /** Files keep the narrower type. */
  @Test
  void columnsMayBePromotedBeforeAnAdoption() {
    spark.sql(
        "CREATE TABLE "
            + table
            + " (user int, vec array<float>) USING iceberg PARTITIONED BY (truncate(4, user))");
    spark.sql(
        "INSERT INTO " + table + " SELECT int(id), array(float(id) + 0.1F, 1F) FROM range(2)");
    spark.sql("ALTER TABLE " + table + " ALTER COLUMN user TYPE bigint");
    spark.sql("ALTER TABLE " + table + " ALTER COLUMN vec.element TYPE double");
    call(
        "adopt_tensor",
        ", dtype => 'float64', shape => array(8, 2), index_columns => 'user', value_columns =>"
            + " 'vec'");
    call("scatter_nd", ", 'SELECT * FROM VALUES (1, array(10D, 10D)), (7, array(1D, 1D))'");
    List<String> expected =
        List.of(
            "{\"user\":0,\"vec\":[" + (double) 0.1F + ",1.0]}",
            "{\"user\":1,\"vec\":[" + ((double) 1.1F + 10) + ",11.0]}",
            "{\"user\":7,\"vec\":[1.0,1.0]}");
    assertThat(rows()).containsExactlyElementsOf(expected);
    spark.sql("CALL nd.system.compact('" + table + "')");
    assertThat(rows()).containsExactlyElementsOf(expected);
  }

  @Test
  void tensorIsAdopted() {
    spark.sql(
        "CREATE TABLE "
            + table
            + " (user bigint, vec array<float>) USING iceberg PARTITIONED BY"
            + " (truncate(4, user)) TBLPROPERTIES ('format-version' = '3')");
    spark.sql("INSERT INTO " + table + " SELECT id, array(float(id), 1F) FROM range(6)");
    String arguments =
        ", dtype => 'float32', shape => array(%d, 2), index_columns => 'user', value_columns =>"
            + " 'vec', fill => 3";
    assertThatThrownBy(() -> call("adopt_tensor", arguments.formatted(5)))
        .hasMessageContaining("index out of bounds, 1 times, as in {\"user\":5}");
    assertThatThrownBy(() -> call("adopt_tensor", arguments.formatted(8).replace("'vec'", "'v'")))
        .hasMessageContaining("column");
    String properties = " TBLPROPERTIES ('sparknd.fill-value.vec'";
    spark.sql("ALTER TABLE " + table + " SET" + properties + " = '9')");
    assertThatThrownBy(() -> call("adopt_tensor", arguments.formatted(8)))
        .hasMessageContaining("sparknd.fill-value.vec = '9'");
    spark.sql("ALTER TABLE " + table + " UNSET" + properties + ")");
    Row adopted = call("adopt_tensor", arguments.formatted(8));
    assertThat(adopted.<Long>getAs("rows_per_block")).isEqualTo(4);
    assertThat(adopted.<Long>getAs("rows")).isEqualTo(6);
    call("scatter_nd", ", 'SELECT * FROM VALUES (5, array(10F, 10F)), (7, array(1F, 1F))'");
    assertThat(TensorTable.open(spark, table).shape().dims()).containsExactly(8, 2);
    assertThat(rows().subList(5, 7))
        .containsExactly("{\"user\":5,\"vec\":[15.0,11.0]}", "{\"user\":7,\"vec\":[4.0,4.0]}");
    String other = TestTables.name();
    spark.sql("CREATE TABLE " + other + " (user bigint, vec array<float>) USING iceberg");
    assertThatThrownBy(
            () ->
                spark.sql(
                    "CALL nd.system.adopt_tensor('" + other + "'" + arguments.formatted(8) + ")"))
        .hasMessageContaining("is partitioned by nothing, and needs truncate(W, user) alone");
  }
}
