/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparknd.cluster.options.AsOf;
import io.sparknd.sql.NdCatalog;
import io.sparknd.table.internal.store.SnapshotProperties;
import io.sparknd.table.options.FeatureTableSpec;
import io.sparknd.table.options.FeatureUpdates;
import io.sparknd.table.options.GatheredVariables;
import io.sparknd.table.options.Variable;
import io.sparknd.table.reduction.TimeWindows;
import io.sparknd.table.reduction.VariableReduction;
import io.sparknd.table.result.TableCommit;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.SparkNdException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.apache.iceberg.types.Types;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests variables that are reduced in windows of time. */
class WindowsTest {
  private static final Duration DAY = Duration.ofDays(1);
  private static final TimeWindows WINDOWS =
      TimeWindows.of(DAY, Duration.ofDays(2), DAY, Duration.ofDays(7));

  @BeforeAll
  static void makeCatalogs() {
    SparkSession spark = TestTables.spark();
    SparkSession.setActiveSession(spark);
    spark.conf().set("spark.sql.catalog.nd", NdCatalog.class.getName());
    LocalCatalog.settings("windows_lake", TestTables.place().resolveSibling("windows-lake"))
        .forEach(spark.conf()::set);
    String catalog = "spark.sql.catalog.windows_lake";
    spark.conf().set(catalog, TensorCatalog.class.getName());
    spark.conf().set(catalog + ".warehouse", TestTables.place().resolve("windows").toString());
    spark.conf().set(catalog + ".uri", "jdbc:sqlite:" + TestTables.place().resolve("windows.db"));
    spark.sql("CREATE NAMESPACE IF NOT EXISTS windows_lake.shop");
  }

  private static Dataset<Row> sql(String query) {
    return TestTables.spark().sql(query);
  }

  private static FeatureTable create(Variable... variables) {
    FeatureTableSpec spec =
        FeatureTableSpec.keyedBy("user", "string")
            .with(Variable.of("seen", "timestamp").reducedBy(VariableReduction.max()))
            .withBuckets(2);
    for (Variable variable : variables) {
      spec = spec.with(variable);
    }
    return FeatureTable.create(TestTables.spark(), TestTables.name(), spec);
  }

  private static FeatureTable views() {
    return create(
        Variable.of("views", "bigint")
            .reducedBy(VariableReduction.add().over("seen", WINDOWS))
            .withFill(0));
  }

  private static Dataset<Row> events(String columns, String... rows) {
    return sql(
        "SELECT * EXCEPT (at), CAST(at AS timestamp) AS seen FROM VALUES "
            + String.join(", ", rows)
            + " AS e(user, at, "
            + columns
            + ")");
  }

  private static Dataset<Row> labels(String... rows) {
    return sql(
        "SELECT user, CAST(at AS timestamp) AS at FROM VALUES "
            + String.join(", ", rows)
            + " AS l(user, at)");
  }

  private static List<String> gathered(
      FeatureTable table, AsOf asOf, Dataset<Row> labels, String... columns) {
    return table
        .gatherAsOf(labels, List.of("user"), asOf, columns)
        .drop("user")
        .orderBy("at")
        .drop("at")
        .collectAsList()
        .stream()
        .map(Row::toString)
        .toList();
  }

  /** Iceberg widens the column, and not the bytes of tiles that are stored. */
  @Test
  void tilesOfAWidenedVariableStay() {
    VariableReduction reduction = VariableReduction.add().over("seen", WINDOWS);
    FeatureTable table =
        create(
            Variable.of("views", "int").reducedBy(reduction),
            Variable.of("weight", "float").reducedBy(reduction),
            Variable.of("mean", "int").reducedBy(VariableReduction.max().over("seen", WINDOWS)));
    String columns = "views, weight, mean";
    table.scatter(
        events(
            columns,
            "('u', '2026-03-01 10:00', 2147483647, 0.5F, -7)",
            "('u', '2026-03-02 10:00', 1, 0.25F, -9)",
            "('v', '2026-03-02 10:00', -5, -0.5F, -3)"));
    table.iceberg().refresh();
    table
        .iceberg()
        .updateSchema()
        .updateColumn("views", Types.LongType.get())
        .updateColumn("weight", Types.DoubleType.get())
        .updateColumn("mean", Types.LongType.get())
        .commit();
    Dataset<Row> labels = labels("('v', '2026-03-03')", "('u', '2026-03-04')");
    assertThat(gathered(table, AsOf.latest("at"), labels, "views_7d", "weight_7d", "mean_7d"))
        .containsExactly("[-5,-0.5,-3]", "[2147483648,0.75,-7]");
    table.scatter(
        events(columns, "('u', '2026-03-03 10:00', 10000000000L, 1e300D, -10000000000L)"));
    table.compact();
    assertThat(gathered(table, AsOf.latest("at"), labels, "views_7d", "weight_7d", "mean_1d"))
        .containsExactly("[-5,-0.5,-3]", "[12147483648,1.0E300,-10000000000]");
  }

  @Test
  void windowsHaveTheTilesThatEndedByTheTime() {
    FeatureTable table = views();
    table.scatter(
        events(
            "views",
            "('u', '2026-03-01 10:00', 1L)",
            "('u', '2026-03-03 00:00', 10L)",
            "('u', '2026-03-03 23:59', 100L)",
            "('v', '2026-03-03 12:00', 1000L)"));
    table.scatter(events("views", "('u', '2026-03-02 05:00', 10000L)")); // late
    Dataset<Row> labels =
        labels(
            "('u', '2026-02-01')",
            "('u', '2026-03-02')",
            "('u', '2026-03-03 23:59')",
            "('u', '2026-03-04')",
            "('u', '2026-03-10 13:00')",
            "('u', '2026-03-11')");
    Dataset<Row> found = table.gatherAsOf(labels, List.of("user"), AsOf.latest("at"));
    assertThat(found.columns())
        .containsExactly("user", "at", "seen", "views_1d", "views_2d", "views_7d");
    assertThat(gathered(table, AsOf.latest("at"), labels, "views_1d", "views_2d", "views_7d"))
        .containsExactly(
            "[0,0,0]",
            "[1,1,1]",
            "[10000,10001,10001]",
            "[110,10110,10111]",
            "[0,0,110]",
            "[0,0,0]");
    GatheredVariables week = GatheredVariables.of("views_7d").withFoundColumn("is_known");
    assertThat(
            table
                .gatherAsOf(
                    labels("('u', '2026-03-11')", "('w', '2026-03-11')"),
                    List.of("user"),
                    AsOf.latest("at"),
                    week)
                .orderBy("user")
                .select("user", "views_7d", "is_known")
                .collectAsList())
        .as("without updates in the window, and without a row")
        .containsExactly(RowFactory.create("u", 0L, true), RowFactory.create("w", 0L, false));
    assertThat(table.toDataset().where("user = 'u'").select("views").first().get(0))
        .isEqualTo(10111L);
  }

  @Test
  void eachReductionHasWindows() {
    FeatureTable table =
        create(
            windowed("n", "bigint", VariableReduction.count()),
            windowed("mean", "double", VariableReduction.mean()),
            windowed("least", "decimal(6,2)", VariableReduction.min()),
            windowed("most", "float", VariableReduction.max()),
            windowed("product", "int", VariableReduction.mul()),
            windowed("words", "string", VariableReduction.add()),
            windowed("latest", "array<int>", VariableReduction.lastN(3)),
            Variable.of("taste", DType.FLOAT32, 2)
                .reducedBy(VariableReduction.add().over("seen", WINDOWS)));
    String columns = "n, mean, least, most, product, words, latest, taste";
    table.scatter(
        events(
            columns,
            "('u', '2026-03-01', 7L, 1D, 4.50, 2F, 2, 'a', array(1, 2), array(1F, 2F))",
            "('u', '2026-03-01', 7L, 4D, 3.50, 1F, 3, 'b', array(3), array(1F, 2F))"));
    table.scatter(
        events(
            columns, "('u', '2026-03-02', 7L, 1D, 5.50, 3F, 5, 'c', array(4), array(0.5F, 0F))"));
    List<String> found =
        gathered(
            table,
            AsOf.latest("at"),
            labels("('u', '2026-03-02')", "('u', '2026-03-03')"),
            "n_2d",
            "mean_2d",
            "least_2d",
            "most_2d",
            "product_2d",
            "words_2d",
            "latest_2d",
            "taste_2d");
    assertThat(found)
        .containsExactly(
            "[2,2.5,3.50,2.0,6,ab,ArraySeq(1, 2, 3),ArraySeq(2.0, 4.0)]",
            "[3,2.0,3.50,3.0,30,abc,ArraySeq(2, 3, 4),ArraySeq(2.5, 4.0)]");
  }

  private static Variable windowed(String name, String type, VariableReduction reduction) {
    return Variable.of(name, type).reducedBy(reduction.over("seen", WINDOWS));
  }

  @Test
  void sketchesAreUnitedInWindows() {
    FeatureTable table = create(windowed("items", "binary", VariableReduction.hllUnion()));
    for (int day = 1; day <= 3; day++) {
      table.scatter(
          sql(
              "SELECT 'u' AS user, timestamp('2026-03-0"
                  + day
                  + "') AS seen, hll_sketch_agg(id) AS items FROM range("
                  + 10 * day
                  + ", "
                  + 10 * (day + 2)
                  + ")"));
    }
    Row found =
        table
            .gatherAsOf(labels("('u', '2026-03-04')"), List.of("user"), AsOf.latest("at"))
            .selectExpr("hll_sketch_estimate(items_1d)", "hll_sketch_estimate(items_7d)")
            .first();
    assertThat(found.getLong(0)).isEqualTo(20);
    assertThat(found.getLong(1)).isEqualTo(40);
  }

  @Test
  void tilesThatFellOutAreEvicted() {
    FeatureTable table = views();
    table.scatter(
        events(
            "views",
            "('u', '2026-03-01', 1L)",
            "('u', '2026-03-08', 2L)",
            "('v', '2026-03-08', 4L)"));
    String state = "length(views__tiles) / 8, views__evicted";
    assertThat(table.toDataset().selectExpr(state.split(", ")).distinct().count()).isEqualTo(2);
    TableCommit late =
        table.scatter(
            events(
                "views",
                "('u', '2026-03-09', 8L)",
                "('u', '2026-02-01', 16L)",
                "('w', '2026-02-01', 1L)",
                "('w', '2026-03-09', 1L)"));
    assertThat(late.updates()).isEqualTo(4);
    assertThat(late.dropped()).isEqualTo(1);
    table.iceberg().refresh();
    assertThat(table.iceberg().currentSnapshot().summary())
        .containsEntry(SnapshotProperties.UPDATES, "4")
        .containsEntry(SnapshotProperties.DROPPED, "1")
        .containsEntry(SnapshotProperties.LATE, "1");
    Row row = table.toDataset().where("user = 'u'").selectExpr(state.split(", ")).first();
    assertThat(row).hasToString("[2.0,true]");
    String[] windows = {"views_1d", "views_7d"};
    Dataset<Row> known = labels("('u', '2026-03-09')", "('u', '2026-03-10')");
    assertThat(gathered(table, AsOf.latest("at"), known, windows))
        .containsExactly("[2,2]", "[8,10]");
    Dataset<Row> early = labels("('u', '2026-03-08 23:00')");
    assertThat(gathered(table, AsOf.latest("at"), early, "views_1d")).containsExactly("[0]");
    assertThat(gathered(table, AsOf.latest("at").orNullIfExpired(), early, windows))
        .containsExactly("[0,null]");
    assertThatThrownBy(() -> gathered(table, AsOf.latest("at"), early, windows))
        .isInstanceOf(SparkNdException.class)
        .hasMessageContaining("views_7d of key")
        .hasMessageContaining("2026-03-08T23:00:00Z")
        .hasMessageContaining("2026-03-02T00:00:00Z");
  }

  /** It would evict the tiles of its row, and all true updates after it would be late. */
  @Test
  void anEventOfTheFutureIsAnError() {
    FeatureTable table = views();
    table.scatter(events("views", "('u', '2026-03-01', 1L)", "('u', '2026-03-02', 2L)"));
    Dataset<Row> wrong = events("views", "('v', '2026-03-03', 1L)", "('u', '2962-03-03', 4L)");
    assertThatThrownBy(() -> table.scatter(wrong))
        .isInstanceOf(SparkNdException.class)
        .hasMessageContaining("variable views of table")
        .hasMessageContaining("at (user = 'u') is of 2962-03-03T00:00:00Z, more than a day after");
    TableCommit next = table.scatter(events("views", "('u', '2026-03-04', 8L)"));
    assertThat(next.dropped()).isZero();
    assertThat(gathered(table, AsOf.latest("at"), labels("('u', '2026-03-05')"), "views_7d"))
        .containsExactly("[11]");
    Instant end = Instant.parse("2962-03-04T00:00:00Z");
    assertThat(table.write().validAt(end).scatter(wrong).commit().updates()).isEqualTo(2);
  }

  @Test
  void aDayBeyondTheClockIsNotTheFuture() {
    FeatureTable table = views();
    String event = "SELECT 'u' AS user, 1L AS views, now() + INTERVAL '%d' HOUR AS seen";
    table.scatter(sql(event.formatted(23)));
    assertThatThrownBy(() -> table.scatter(sql(event.formatted(25))))
        .hasMessageContaining("more than a day after");
    table.scatter(
        sql("SELECT 'u' AS user, CAST(NULL AS BIGINT) AS views, now() + INTERVAL 9 DAY seen"));
  }

  @Test
  void anEventAfterTheDeclaredTimeIsAnError() {
    FeatureTable table = views();
    Dataset<Row> events = events("views", "('u', '2026-03-04 10:00', 1L)");
    Instant begin = Instant.parse("2026-03-04T10:00:00Z");
    assertThatThrownBy(() -> table.write().validAt(begin.minusSeconds(1)).scatter(events).commit())
        .isInstanceOf(SparkNdException.class)
        .hasMessageContaining("at (user = 'u') is of 2026-03-04T10:00:00Z")
        .hasMessageContaining("valid_at of its batch, 2026-03-04T09:59:59Z");
    assertThat(table.write().validAt(begin).scatter(events).commit().updates()).isEqualTo(1);
  }

  @Test
  void aGatherAsOfATimeHasTheWindowsOfThatState() {
    FeatureTable table = views();
    table
        .write()
        .validAt(Instant.parse("2026-03-02T00:00:00Z"))
        .scatter(events("views", "('u', '2026-03-01', 1L)"))
        .commit();
    table
        .write()
        .validAt(Instant.parse("2026-03-04T00:00:00Z"))
        .scatter(events("views", "('u', '2026-03-02', 2L)"))
        .commit();
    Dataset<Row> labels =
        labels("('u', '2026-03-02')", "('u', '2026-03-03 12:00')", "('u', '2026-03-04')");
    assertThat(gathered(table, AsOf.validTime("at"), labels, "views_7d"))
        .containsExactly("[1]", "[1]", "[3]");
    assertThat(gathered(table, AsOf.latest("at"), labels, "views_7d"))
        .containsExactly("[1]", "[3]", "[3]");
  }

  @Test
  void sqlDeclaresFillsAndReadsWindows() {
    String name = "windows_lake.shop.users";
    sql(
        "CREATE TABLE "
            + name
            + " (user STRING NOT NULL, views BIGINT DEFAULT 0, seen TIMESTAMP) USING iceberg"
            + " PARTITIONED BY (bucket(4, user)) TBLPROPERTIES ('sparknd.key' = 'user',"
            + " 'sparknd.variable.seen.reduction' = 'max',"
            + " 'sparknd.variable.views.reduction' = 'add',"
            + " 'sparknd.variable.views.order' = 'seen',"
            + " 'sparknd.variable.views.window' = '7 days, 1 day',"
            + " 'sparknd.variable.views.tile' = '1 day')");
    sql("INSERT INTO " + name + " (user, views, seen) VALUES ('u', 1, TIMESTAMP'2026-03-01')");
    sql("INSERT INTO " + name + " (user, views, seen) VALUES ('u', 2, TIMESTAMP'2026-03-02')");
    assertThat(
            sql("SELECT views_7d, views_1d FROM gather_nd_as_of(TABLE("
                    + name
                    + "), TABLE(SELECT 'u' AS user, TIMESTAMP'2026-03-03' AS at), at => 'at',"
                    + " clock => 'none')")
                .first())
        .hasToString("[3,2]");
    assertThatThrownBy(
            () ->
                sql(
                    "SELECT * FROM gather_nd(TABLE("
                        + name
                        + "), TABLE(SELECT 'u' AS user), value_columns => 'views_7d')"))
        .hasMessageContaining("views_7d")
        .hasMessageContaining("as of a time");
    declare(name, "7 days, 2 days");
    assertThatThrownBy(() -> declare(name, "2 days"))
        .hasMessageContaining("views")
        .hasMessageContaining("2 days in tiles of 1 day");
    assertThatThrownBy(() -> declare(name, "30 days")).hasMessageContaining("has values");
    assertThat(
            gathered(
                FeatureTable.open(TestTables.spark(), name),
                AsOf.latest("at"),
                labels("('u', '2026-03-03')"),
                "views_2d",
                "views_7d"))
        .containsExactly("[3,3]");
    assertThatThrownBy(
            () ->
                sql(
                    "ALTER TABLE "
                        + name
                        + " SET TBLPROPERTIES ('sparknd.variable.seen.window' = '2 days')"))
        .hasMessageContaining("need the property sparknd.variable.seen.tile: set it");
  }

  private static void declare(String table, String windows) {
    sql(
        "ALTER TABLE "
            + table
            + " SET TBLPROPERTIES ('sparknd.variable.views.window' = '"
            + windows
            + "')");
  }

  @Test
  void theProceduresDeclareWindows() {
    String name = TestTables.name();
    sql(
        "CALL nd.system.create_features('"
            + name
            + "', keys => 'user STRING', variables => 'seen DATE, views BIGINT',"
            + " reductions => map('seen', 'max', 'views', 'count(seen)'),"
            + " windows => map('views', '1 day, 4 weeks'), tiles => map('views', '1 day'))");
    sql(
        "CALL nd.system.scatter_nd('"
            + name
            + "', 'SELECT \"u\" AS user, DATE\"2026-03-01\" AS seen, 1L AS views')");
    assertThat(
            gathered(
                FeatureTable.open(TestTables.spark(), name),
                AsOf.latest("at"),
                labels("('u', '2026-03-02')"),
                "views_28d"))
        .containsExactly("[1]");
    assertThat(
            sql("CALL nd.system.describe('" + name + "')")
                .where("column = 'views'")
                .select("reduction")
                .first())
        .hasToString("[count by seen over 1 day, 28 days in tiles of 1 day]");
  }

  @Test
  void wrongWindowsAreErrors() {
    assertThatThrownBy(() -> TimeWindows.of(DAY, Duration.ofHours(36)))
        .hasMessageContaining("36 hours in tiles of 1 day");
    assertThatThrownBy(() -> TimeWindows.of(DAY)).hasMessageContaining("7 days");
    Duration second = Duration.ofSeconds(1);
    Duration longest = second.multipliedBy(10_000);
    assertThat(TimeWindows.of(second, longest).tiles(longest)).isEqualTo(10_000);
    assertThatThrownBy(() -> TimeWindows.of(second, longest.plus(second)))
        .hasMessageContaining("10001 seconds in tiles of 1 second");
    assertThatThrownBy(() -> TimeWindows.of(second, Duration.ofMillis(1500)))
        .hasMessageContaining("PT1.5S");
    assertThatThrownBy(() -> TimeWindows.of(second, second.negated()))
        .hasMessageContaining("PT-1S");
    assertThatThrownBy(() -> TimeWindows.of(DAY, DAY, DAY)).hasMessageContaining("windows differ");
    assertThatThrownBy(() -> TimeWindows.of(Duration.ZERO, DAY)).hasMessageContaining("PT0S");
    assertThatThrownBy(() -> TimeWindows.parse("1 day", "7 fortnights"))
        .hasMessageContaining("7 fortnights");
    assertThatThrownBy(() -> VariableReduction.update().over("seen", WINDOWS))
        .hasMessageContaining("update");
    assertThatThrownBy(() -> create(windowed("n", "bigint", VariableReduction.mean())))
        .hasMessageContaining("a mean is a double");
    assertThatThrownBy(() -> VariableReduction.lastN(2, "rank").over("seen", WINDOWS))
        .hasMessageContaining("last_n by rank of 2");
    assertThatThrownBy(() -> create(Variable.of("id", "bigint"), inTiles("n", "id", DAY)))
        .hasMessageContaining("bigint")
        .hasMessageContaining("a timestamp or a date");
    assertThatThrownBy(() -> create(inTiles("n", "gone", DAY))).hasMessageContaining("gone");
    Variable day = Variable.of("day", "date");
    assertThatThrownBy(() -> create(day, inTiles("n", "day", Duration.ofHours(12))))
        .hasMessageContaining("whole days");
    Variable tiles = Variable.of("Tiles", "timestamp");
    assertThatThrownBy(() -> create(tiles, inTiles("n", "Tiles", DAY)))
        .hasMessageContaining("rename the variable Tiles");
  }

  @Test
  void wrongUpdatesAndStateAreErrors() {
    FeatureTable table = views();
    assertThatThrownBy(() -> table.scatter(events("views", "('u', CAST(NULL AS string), 1L)")))
        .hasMessageContaining("its time is NULL");
    table.scatter(events("views", "('u', '2026-03-01', 1L)"));
    sql("UPDATE " + table.name() + " SET views__tiles = X'01'");
    assertThatThrownBy(() -> table.scatter(events("views", "('u', '2026-03-01', 1L)")))
        .hasMessageContaining("its tiles are not ascending");
  }

  @Tag("slow")
  @Test
  void tilesThatAnotherEngineBrokeAreErrors() {
    FeatureTable table = views();
    table.scatter(events("views", "('u', '2026-03-01', 1L)", "('u', '2026-03-02', 2L)"));
    for (String broken :
        List.of(
            "views__tiles = X'01000000000000000200000000'",
            "views__tiles = X'01'",
            "views__tiles = NULL",
            "views__seen = X'0000000000000000'",
            "views__seen = X'" + "00".repeat(16) + "'",
            "views__seen = X'0100000000000000" + "0200000000000000'",
            "views__seen = NULL, views__tiles = NULL, views__evicted = true")) {
      sql("UPDATE " + table.name() + " SET " + broken);
      assertThatThrownBy(
              () -> gathered(table, AsOf.latest("at"), labels("('u', '2026-03-03')"), "views_7d"))
          .as(broken)
          .hasMessageContaining("window views_7d")
          .hasMessageContaining("user = 'u'");
    }
  }

  @Test
  void namesOfWindowsAreTaken() {
    Variable named = Variable.of("VIEWS_7d", "string");
    Variable windowed =
        Variable.of("views", "bigint").reducedBy(VariableReduction.add().over("seen", WINDOWS));
    assertThatThrownBy(() -> create(windowed, named)).hasMessageContaining("views_7d");
    FeatureTable views = views();
    assertThatThrownBy(() -> views.addVariable(named)).hasMessageContaining("VIEWS_7d");
    FeatureTable other = create(named, inTiles("n", "seen", Duration.ofDays(7)));
    assertThatThrownBy(() -> other.addVariable(windowed)).hasMessageContaining("views_7d");
    assertThatThrownBy(() -> other.renameVariable("n", "views")).hasMessageContaining("views_7d");
    sql("ALTER TABLE " + views.name() + " ADD COLUMN Views_7D string");
    FeatureTable changed = FeatureTable.open(TestTables.spark(), views.name());
    assertThatThrownBy(() -> gathered(changed, AsOf.latest("at"), labels("('u', '2026-03-03')")))
        .hasMessageContaining("views_7d")
        .hasMessageContaining("rename");
  }

  @Test
  void localTimesAreReadInTheSessionsZone() {
    SparkSession spark = TestTables.spark();
    String zone = spark.conf().get("spark.sql.session.timeZone");
    try {
      for (String other : List.of("America/New_York", "Asia/Tokyo")) {
        spark.conf().set("spark.sql.session.timeZone", other);
        FeatureTable table = withLocalTimes();
        for (String type : List.of("timestamp", "timestamp_ntz")) {
          assertThat(localWindows(table, "CAST('2026-03-02 10:00' AS " + type + ")"))
              .as(other + " " + type)
              .isEqualTo("[3,4]");
        }
        assertThat(localWindows(table, "DATE'2026-03-02'")).as(other).isEqualTo("[3,null]");
      }
    } finally {
      spark.conf().set("spark.sql.session.timeZone", zone);
    }
  }

  /** Training and serving have sessions of their own. */
  @Test
  void windowsOfLocalTimesAreTheSameInAllSessions() {
    SparkSession spark = TestTables.spark();
    String zone = spark.conf().get("spark.sql.session.timeZone");
    try {
      spark.conf().set("spark.sql.session.timeZone", "America/Los_Angeles");
      FeatureTable table = withLocalTimes();
      for (String reader : List.of("America/Los_Angeles", "UTC", "Asia/Tokyo")) {
        spark.conf().set("spark.sql.session.timeZone", reader);
        FeatureTable opened = FeatureTable.open(spark, table.name());
        opened.scatter(sql("SELECT 'u' AS user, DATE'2026-03-01' AS day, 0L AS days"));
        assertThat(localWindows(opened, "timestamp'2026-03-02 18:00:00Z'"))
            .as(reader)
            .isEqualTo("[3,4]");
        assertThat(localWindows(opened, "timestamp'2026-03-02 02:00:00Z'"))
            .as("18:00 of March 1 in %s", reader)
            .isEqualTo("[null,null]");
        assertThat(localWindows(opened, "timestamp_ntz'2026-03-02 10:00:00'"))
            .as(reader)
            .isEqualTo("[3,4]");
      }
      sql(
          "ALTER TABLE %s UNSET TBLPROPERTIES ('sparknd.variable.days.zone')"
              .formatted(table.name()));
      FeatureTable without = FeatureTable.open(spark, table.name());
      assertThat(localWindows(without, "timestamp'2026-03-02 02:00:00Z'")).startsWith("[3,");
      String wrong = "ALTER TABLE %s SET TBLPROPERTIES ('sparknd.variable.days.zone' = 'Mars')";
      sql(wrong.formatted(table.name()));
      assertThatThrownBy(() -> FeatureTable.open(spark, table.name()))
          .hasMessageContaining("sparknd.variable.days.zone")
          .hasMessageContaining("Mars");
    } finally {
      spark.conf().set("spark.sql.session.timeZone", zone);
    }
  }

  /** Times without a zone are often those of UTC, which has an hour that clocks elsewhere skip. */
  @Test
  void anHourThatClocksSkipIsNotTheNext() {
    SparkSession spark = TestTables.spark();
    String zone = spark.conf().get("spark.sql.session.timeZone");
    try {
      spark.conf().set("spark.sql.session.timeZone", "America/New_York");
      FeatureTable table =
          create(
              Variable.of("local", "timestamp_ntz"),
              Variable.of("day", "date"),
              inTiles("days", "day", DAY),
              inTiles("hours", "local", Duration.ofHours(1)));
      table.scatter(
          sql(
              "SELECT 'u' AS user, 1L AS hours, timestamp_ntz'2026-03-08 01:30' AS local UNION ALL"
                  + " SELECT 'u', 2L, timestamp_ntz'2026-03-08 02:30'"));
      assertThat(localWindows(table, "timestamp_ntz'2026-03-08 02:10'")).isEqualTo("[null,1]");
      assertThat(localWindows(table, "timestamp_ntz'2026-03-08 03:10'")).isEqualTo("[null,2]");
    } finally {
      spark.conf().set("spark.sql.session.timeZone", zone);
    }
  }

  private static FeatureTable withLocalTimes() {
    FeatureTable table =
        create(
            Variable.of("day", "date").reducedBy(VariableReduction.max()),
            Variable.of("local", "timestamp_ntz"),
            inTiles("days", "day", DAY),
            inTiles("hours", "local", Duration.ofHours(1)));
    table.scatter(
        sql(
            "SELECT 'u' AS user, DATE(at) AS day, CAST(at AS timestamp_ntz) AS local, n AS days, n"
                + " AS hours FROM VALUES ('2026-03-01 08:30', 1L), ('2026-03-01 09:30', 2L),"
                + " ('2026-03-02 09:30', 4L) AS e(at, n)"));
    return table;
  }

  private static String localWindows(FeatureTable table, String at) {
    return table
        .gatherAsOf(
            sql("SELECT 'u' AS user, " + at + " AS at"),
            List.of("user"),
            AsOf.latest("at").orNullIfExpired(),
            "days_1d",
            "hours_1h")
        .select("days_1d", "hours_1h")
        .first()
        .toString();
  }

  private static Variable inTiles(String name, String time, Duration tile) {
    return Variable.of(name, "bigint")
        .reducedBy(VariableReduction.add().over(time, TimeWindows.of(tile, tile)));
  }

  @Tag("slow")
  @Test
  void aVariableInWindowsIsOneLikeAnyOther() {
    FeatureTable table =
        create(
            Variable.of("taste", DType.FLOAT16, 2)
                .binary()
                .reducedBy(VariableReduction.max().over("seen", WINDOWS)));
    table.scatter(events("taste", "('u', '2026-03-01', array(1F, 4F))"));
    table.addVariable(
        Variable.of("views", "bigint")
            .reducedBy(VariableReduction.add().over("seen", WINDOWS))
            .withFill(0));
    table
        .write()
        .scatter(events("views, taste", "('u', '2026-03-01', 1L, array(2F, 3F))"))
        .scatter(events("views", "('u', '2026-03-01', 2L)", "('v', '2026-03-01', NULL)"))
        .commit();
    Dataset<Row> labels = labels("('u', '2026-03-02')");
    assertThat(
            table
                .gatherAsOf(labels, List.of("user"), AsOf.latest("at"))
                .selectExpr("hex(taste_1d)", "views_7d")
                .first())
        .hasToString("[00400044,3]");
    assertThat(sql("CALL nd.system.check('" + table.name() + "')").collectAsList()).isEmpty();
    Dataset<Row> more = events("views", "('u', '2026-03-01', 2L)");
    FeatureUpdates added = FeatureUpdates.of("views").by(VariableReduction.add());
    assertThatThrownBy(() -> table.write().scatter(more, added).commit())
        .hasMessageContaining("views");
    assertThatThrownBy(() -> table.dropVariable("seen")).hasMessageContaining("seen");
    FeatureTable renamed = table.renameVariable("views", "visits");
    renamed.scatter(events("visits", "('u', '2026-03-01', 4L)"));
    assertThat(gathered(renamed, AsOf.latest("at"), labels, "visits_1d")).containsExactly("[7]");
    assertThat(renamed.dropVariable("taste").variables()).containsExactly("seen", "visits");
  }

  @Tag("slow")
  @Test
  void aTableIsAdoptedWithWindows() {
    String name = TestTables.name();
    sql("CREATE TABLE " + name + " (user string, seen timestamp, views bigint) USING iceberg");
    FeatureTableSpec spec =
        FeatureTableSpec.keyedBy("user", "string").with(inTiles("views", "seen", DAY));
    sql("INSERT INTO " + name + " VALUES ('v', TIMESTAMP'2026-03-01', 3)");
    assertThatThrownBy(() -> FeatureTable.adopt(TestTables.spark(), name, spec))
        .hasMessageContaining("value of views without views__seen");
    sql("UPDATE " + name + " SET views = NULL");
    FeatureTable table = FeatureTable.adopt(TestTables.spark(), name, spec);
    table.scatter(events("views", "('v', '2026-03-01', 2L)"));
    assertThat(gathered(table, AsOf.latest("at"), labels("('v', '2026-03-02')"), "views_1d"))
        .containsExactly("[2]");
  }

  /** Such times are what others take for infinity; a row with them could not be read again. */
  @Test
  void timesTooFarFrom1970AreErrors() {
    FeatureTable table = views();
    for (long micros : new long[] {Long.MIN_VALUE, Long.MAX_VALUE}) {
      assertThatThrownBy(
              () ->
                  scatterAtTheLatestTime(
                      table,
                      sql(
                          "SELECT 'u' AS user, 1L AS views, timestamp_micros("
                              + micros
                              + "L) seen")))
          .isInstanceOf(SparkNdException.class)
          .hasMessageContaining("at (user = 'u')")
          .hasMessageContaining("is too far from 1970 for windows");
    }
    table.scatter(events("views", "('u', '2026-03-01 10:00', 1L)"));
    Dataset<Row> labels =
        sql(
            "SELECT 'u' AS user, explode(array(timestamp_micros("
                + Long.MIN_VALUE
                + "L), timestamp'2026-03-02', timestamp_micros("
                + Long.MAX_VALUE
                + "L))) AS at");
    assertThat(gathered(table, AsOf.latest("at"), labels, "views_7d"))
        .containsExactly("[0]", "[1]", "[0]");
  }

  /** Scatters a batch that may have events of any time. */
  private static void scatterAtTheLatestTime(FeatureTable table, Dataset<Row> rows) {
    Instant latest = Instant.EPOCH.plus(Long.MAX_VALUE, ChronoUnit.MICROS);
    table.write().validAt(latest).scatter(rows).commit();
  }

  @Test
  void datesTooFarFrom1970AreErrors() {
    FeatureTable table =
        FeatureTable.create(
            TestTables.spark(),
            TestTables.name(),
            FeatureTableSpec.keyedBy("user", "string")
                .with(Variable.of("day", "date"))
                .with(
                    Variable.of("views", "bigint")
                        .reducedBy(VariableReduction.add().over("day", WINDOWS))));
    for (String day : List.of("-2147483648", "2147483647", "106751991")) {
      assertThatThrownBy(
              () ->
                  scatterAtTheLatestTime(
                      table,
                      sql("SELECT 'u' AS user, 1L AS views, date_from_unix_date(" + day + ") day")))
          .isInstanceOf(SparkNdException.class)
          .hasMessageContaining("is too far from 1970 for windows");
    }
  }
}
