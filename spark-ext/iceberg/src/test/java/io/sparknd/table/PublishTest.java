/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparknd.cluster.options.TensorColumns;
import io.sparknd.op.Scatter;
import io.sparknd.sql.NdCatalog;
import io.sparknd.table.OnlineReplica.Store;
import io.sparknd.table.exceptions.CommitConflictException;
import io.sparknd.table.options.FeatureTableSpec;
import io.sparknd.table.options.Retention;
import io.sparknd.table.options.TensorSpec;
import io.sparknd.table.options.Variable;
import io.sparknd.table.publish.JdbcSink;
import io.sparknd.table.publish.RedisSink;
import io.sparknd.table.publish.ValueFormat;
import io.sparknd.table.reduction.VariableReduction;
import io.sparknd.table.result.TablePublication;
import io.sparknd.table.result.TablePublication.Kind;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.SparkNdException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.apache.commons.lang3.ArrayUtils;
import org.apache.spark.TaskContext;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import redis.clients.jedis.Jedis;

/**
 * Tests {@link FeatureTable#publish} and {@link TensorTable#publish} to real servers where they are
 * installed.
 */
class PublishTest {
  private static final List<String> VARIABLES = List.of("views", "city", "taste");

  private final SparkSession spark = TestTables.spark();

  @BeforeEach
  void activate() {
    SparkSession.setActiveSession(spark);
  }

  private FeatureTable users() {
    return users(spark, TestTables.name());
  }

  private static FeatureTable users(SparkSession spark, String name) {
    FeatureTable table =
        FeatureTable.create(
            spark,
            name,
            FeatureTableSpec.keyedBy("user", "string")
                .with(Variable.of("views", "bigint").reducedBy(VariableReduction.add()).withFill(7))
                .with(Variable.of("city", "string"))
                .with(Variable.of("taste", DType.FLOAT32, 2))
                .withBuckets(4));
    table
        .write()
        .batchId("a")
        .scatter(
            spark.sql(
                "SELECT 'u' || lpad(id, 2, '0') AS user, id AS views,"
                    + " if(id % 2 = 0, 'Oslo', NULL) AS city, array(float(id), 0F) AS taste"
                    + " FROM range(40)"))
        .commit();
    return table;
  }

  private static Map<String, List<String>> expected(FeatureTable table, List<String> variables) {
    Map<String, List<String>> rows = new TreeMap<>();
    for (Row row :
        table
            .gather(table.toDataset().select("user"), List.of("user"))
            .selectExpr("user", "views", "city", "replace(cast(taste AS string), ' ', '') AS taste")
            .collectAsList()) {
      rows.put(
          row.getAs("user"),
          variables.stream().map(row::getAs).map(v -> v == null ? null : v.toString()).toList());
    }
    return rows;
  }

  private void update(FeatureTable table, String... users) {
    for (String user : users) {
      table.scatter(spark.sql("SELECT '" + user + "' AS user, 1L AS views, 'Bergen' AS city"));
    }
  }

  private static void check(OnlineReplica replica, FeatureTable table) throws Exception {
    assertThat(replica.rows(VARIABLES)).isEqualTo(expected(table, VARIABLES));
  }

  @Tag("slow")
  @ParameterizedTest
  @EnumSource(Store.class)
  void replicaFollowsTheTable(Store store) throws Exception {
    try (OnlineReplica replica = store.start()) {
      FeatureTable table = users();
      TablePublication first = table.publish(replica.sink());
      assertThat(first.kind()).isEqualTo(Kind.FULL);
      assertThat(first.upserted()).isEqualTo(40);
      check(replica, table);

      assertThat(table.publish(replica.sink()).kind()).isEqualTo(Kind.UNCHANGED);
      update(table, "u01", "u02", "u77");
      table.evict("user >= 'u30' AND user < 'u35'");
      TablePublication changes = table.publish(replica.sink());
      assertThat(changes)
          .extracting(TablePublication::kind, TablePublication::upserted, TablePublication::deleted)
          .containsExactly(Kind.CHANGES, 3L, 5L);
      assertThat(changes.bytes()).isPositive().isLessThan(first.bytes() / 4);
      check(replica, table);

      TablePublication back = table.batch("a").publish(replica.sink());
      assertThat(back.upserted() + back.deleted()).isEqualTo(8);
      check(replica, table.batch("a"));
    }
  }

  /** Rows of the first would replace later ones. */
  @Test
  void publicationThatIsOvertakenStops() throws Exception {
    try (OnlineReplica replica = Store.H2.start()) {
      SparkSession session = HookedLake.spark();
      FeatureTable table = users(session, HookedLake.name());
      table.publish(replica.sink());
      update(table, "u01", "u02");
      AtomicBoolean isOvertaken = new AtomicBoolean();
      Consumer<String> reading =
          path -> {
            if (path.endsWith(".parquet")
                && TaskContext.get() != null
                && !isOvertaken.getAndSet(true)) {
              HookedLake.elsewhere(() -> overtake(session, table.name(), replica));
            }
          };
      try (AutoCloseable hooked = HookedIO.whenReading(reading)) {
        assertThatThrownBy(() -> table.publish(replica.sink()))
            .isInstanceOf(CommitConflictException.class)
            .hasMessageContaining("another publication to users")
            .hasMessageContaining("began meanwhile, so this one stopped");
      }
      assertThat(isOvertaken).isTrue();
      check(replica, FeatureTable.open(session, table.name()));
    }
  }

  private void overtake(SparkSession session, String name, OnlineReplica replica) {
    SparkSession.setActiveSession(session);
    FeatureTable later = FeatureTable.open(session, name);
    update(later, "u03");
    assertThat(later.publish(replica.sink()).upserted()).isPositive();
    assertThat(later.publish(replica.sink()).kind()).isEqualTo(Kind.UNCHANGED);
  }

  @Tag("slow")
  @ParameterizedTest
  @EnumSource(Store.class)
  void failedPublicationIsCompletedBeforeTheNext(Store store) throws Exception {
    try (OnlineReplica replica = store.start()) {
      FeatureTable table = users();
      table.publish(replica.sink());
      update(table, "u01", "u02", "u03", "u04", "u05", "u06", "u07");
      replica.refuse("u05");
      assertThatThrownBy(() -> table.publish(replica.sink()))
          .isInstanceOf(SparkNdException.class)
          .hasMessageContaining(store == Store.REDIS ? "key users:u05" : "publish again");
      replica.accept("u05");
      // some rows have values that neither state of this publication has
      table.batch("a").publish(replica.sink());
      check(replica, table.batch("a"));
      table.publish(replica.sink());
      check(replica, table);
    }
  }

  @Tag("slow")
  @ParameterizedTest
  @EnumSource(Store.class)
  void firstPublicationMayFail(Store store) throws Exception {
    try (OnlineReplica replica = store.start()) {
      FeatureTable table = users();
      if (store == Store.REDIS) {
        replica.refuse("u05");
        assertThatThrownBy(() -> table.publish(replica.sink())).hasMessageContaining("users:u05");
        replica.accept("u05");
      } else {
        // the second state needs all rows, and fails at one
        table.publish(replica.sink());
        table.addVariable(Variable.of("age", "int"));
        replica.refuse("u05");
        assertThatThrownBy(() -> table.publish(replica.sink()))
            .hasMessageContaining("publish again");
        replica.accept("u05");
      }
      table.evict("user < 'u10'");
      assertThat(table.publish(replica.sink()).kind()).isEqualTo(Kind.FULL);
      check(replica, table);
    }
  }

  @Tag("slow")
  @ParameterizedTest
  @EnumSource(Store.class)
  void allRowsAreSentIfTheSnapshotHasExpired(Store store) throws Exception {
    try (OnlineReplica replica = store.start()) {
      FeatureTable table = users();
      table.publish(replica.sink());
      table.evict("user < 'u10'");
      update(table, "u20");
      table.expire(Retention.of(Duration.ZERO));
      TablePublication all = table.publish(replica.sink());
      assertThat(all)
          .extracting(TablePublication::kind, TablePublication::upserted, TablePublication::deleted)
          .containsExactly(Kind.FULL, 30L, 10L);
      check(replica, table);
    }
  }

  @Tag("slow")
  @ParameterizedTest
  @EnumSource(Store.class)
  void variablesMayComeAndGo(Store store) throws Exception {
    try (OnlineReplica replica = store.start()) {
      FeatureTable table = users();
      table.publish(replica.sink());
      table.addVariable(Variable.of("age", "int").withFill(3)).dropVariable("taste");
      assertThat(table.publish(replica.sink()).kind()).isEqualTo(Kind.FULL);
      assertThat(replica.rows(List.of("age", "views")).get("u05")).containsExactly("3", "12");
      table.renameVariable("age", "years");
      table.publish(replica.sink());
      assertThat(replica.rows(List.of("years")).get("u05")).containsExactly("3");
      if (store == Store.REDIS) {
        assertThat(replica.rows(List.of("age", "taste")).get("u05")).containsOnlyNulls();
      } else {
        assertThatThrownBy(() -> replica.rows(List.of("taste"))).hasMessageContaining("taste");
      }
    }
  }

  @Tag("slow")
  @ParameterizedTest
  @EnumSource(Store.class)
  void aVariableOfTheSameNameMayBeAnotherOne(Store store) throws Exception {
    try (OnlineReplica replica = store.start()) {
      FeatureTable table = users();
      table.publish(replica.sink());
      table.dropVariable("city").addVariable(Variable.of("city", "string").withFill("Rome"));
      assertThat(table.publish(replica.sink()).kind()).isEqualTo(Kind.FULL);
      assertThat(replica.rows(List.of("city")).get("u02")).containsExactly("Rome");
    }
  }

  /** To SQLite, names that differ in the case of letters are the same. */
  @Tag("slow")
  @ParameterizedTest
  @EnumSource(Store.class)
  void aVariableMayReturnInAnotherCase(Store store) throws Exception {
    try (OnlineReplica replica = store.start()) {
      FeatureTable table = users();
      table.publish(replica.sink());
      table.dropVariable("city").addVariable(Variable.of("City", "bigint").withFill(5));
      assertThat(table.publish(replica.sink()).kind()).isEqualTo(Kind.FULL);
      assertThat(replica.rows(List.of("City")).get("u02")).containsExactly("5");
      if (replica.sink() instanceof JdbcSink sink) {
        try (Connection connection = DriverManager.getConnection(sink.url());
            ResultSet type =
                connection
                    .createStatement()
                    .executeQuery("SELECT \"City\" FROM \"" + sink.name().orElseThrow() + "\"")) {
          assertThat(type.getMetaData().getColumnTypeName(1)).matches("(?i)bigint|int8|integer");
        }
      }
    }
  }

  @Test
  void theTextNullIsAnotherFillValueThanNone() throws Exception {
    try (OnlineReplica replica = Store.SQLITE.start()) {
      FeatureTable table = users();
      table.publish(replica.sink());
      spark.sql(
          "ALTER TABLE "
              + table.name()
              + " SET TBLPROPERTIES ('sparknd.variable.city.fill' = 'null')");
      table = FeatureTable.open(spark, table.name());
      assertThat(table.publish(replica.sink()).kind()).isEqualTo(Kind.FULL);
      assertThat(replica.rows(List.of("city")).get("u01")).containsExactly("null");
    }
  }

  /** The failed steps have added a column, which the next one does not expect. */
  @Tag("slow")
  @ParameterizedTest
  @EnumSource(Store.class)
  void aVariableMayBeAnotherOneAfterAFailedStep(Store store) throws Exception {
    try (OnlineReplica replica = store.start()) {
      FeatureTable table = users();
      table.publish(replica.sink());
      table.addVariable(Variable.of("code", "int").withFill(3));
      publishInVain(table, replica);
      table.dropVariable("code").addVariable(Variable.of("code", "string").withFill("007"));
      publishInVain(table, replica);
      assertThat(table.publish(replica.sink()).kind()).isEqualTo(Kind.FULL);
      assertThat(replica.rows(List.of("code")).get("u02")).containsExactly("007");

      table.addVariable(Variable.of("size", "int").withFill(1));
      publishInVain(table, replica);
      table.dropVariable("size");
      table.publish(replica.sink());
      check(replica, table);
      table.addVariable(Variable.of("size", "string").withFill("XL"));
      table.publish(replica.sink());
      assertThat(replica.rows(List.of("size")).get("u02")).containsExactly("XL");
    }
  }

  /** Rows were without values until they were sent: for good, if one could not be. */
  @Tag("slow")
  @ParameterizedTest
  @EnumSource(Store.class)
  void rowsKeepTheirValuesUntilTheyAreSent(Store store) throws Exception {
    try (OnlineReplica replica = store.start()) {
      FeatureTable table = users();
      table.publish(replica.sink());
      Map<String, List<String>> before = replica.rows(List.of("views", "city"));
      table.addVariable(Variable.of("age", "int").withFill(3)).dropVariable("taste");
      for (int i = 0; i < 2; i++) {
        publishInVain(table, replica);
        assertThat(replica.rows(List.of("views", "city"))).isEqualTo(before);
      }
      table.publish(replica.sink());
      assertThat(replica.rows(List.of("views", "city"))).isEqualTo(before);
      assertThat(replica.rows(List.of("age")).get("u05")).containsExactly("3");
    }
  }

  /** All columns were dropped and added again, also those of types of the database. */
  @Test
  void anotherFormOfValuesChangesOnlyEncodedColumns() throws Exception {
    try (OnlineReplica replica = Store.SQLITE.start()) {
      FeatureTable table = users().addVariable(Variable.of("tags", "array<string>"));
      table.scatter(spark.sql("SELECT 'u05' AS user, array('new') AS tags"));
      table.publish(replica.sink());
      List<String> kept = List.of("views", "city", "tags");
      Map<String, List<String>> before = replica.rows(kept);
      JdbcSink bytes = ((JdbcSink) replica.sink()).withValues(ValueFormat.BYTES);
      replica.refuse("u05");
      assertThatThrownBy(() -> table.publish(bytes)).isInstanceOf(SparkNdException.class);
      assertThat(replica.rows(kept)).isEqualTo(before);
      replica.accept("u05");
      table.publish(bytes);
      assertThat(replica.rows(kept)).isEqualTo(before);
      try (Connection connection = DriverManager.getConnection(bytes.url());
          Statement statement = connection.createStatement();
          ResultSet taste =
              statement.executeQuery("SELECT hex(taste) FROM users WHERE user = 'u05'")) {
        assertThat(taste.next()).isTrue();
        assertThat(taste.getString(1)).isEqualTo("0000A04000000000");
      }
    }
  }

  /** A publication that waits for the store does not take it back to the state before. */
  @Test
  void theStateIsThatOfTheTimeWhenTheStoreIsKnown() throws Exception {
    FeatureTable table = users();
    String url = "jdbc:h2:mem:late" + System.nanoTime();
    JdbcSink sink = JdbcSink.at(url + ";DB_CLOSE_DELAY=-1").withName("users");
    table.publish(sink);
    AtomicBoolean isFirst = new AtomicBoolean(true);
    SlowDriver.whileConnecting(
        () -> {
          if (isFirst.getAndSet(false)) {
            FeatureTable other = FeatureTable.open(spark, table.name());
            update(other, "u20");
            other.publish(sink);
          }
        });
    try {
      JdbcSink slow =
          JdbcSink.at("jdbc:slow:" + sink.url()).withProperty("driver", SlowDriver.class.getName());
      TablePublication late = table.publish(slow.withName("users"));
      assertThat(late.kind()).isEqualTo(Kind.UNCHANGED);
      assertThat(late.snapshot()).isEqualTo(table.snapshot());
    } finally {
      SlowDriver.whileConnecting(() -> {});
    }
  }

  private static void publishInVain(FeatureTable table, OnlineReplica replica) throws Exception {
    replica.refuse("u05");
    assertThatThrownBy(() -> table.publish(replica.sink())).isInstanceOf(SparkNdException.class);
    replica.accept("u05");
  }

  @Test
  void columnsOfOthersAreNotReplaced() throws Exception {
    JdbcSink sink = JdbcSink.at("jdbc:h2:mem:columns").withName("users");
    try (Connection connection = DriverManager.getConnection(sink.url());
        Statement statement = connection.createStatement()) {
      FeatureTable table = users();
      table.publish(sink);
      statement.execute("ALTER TABLE \"users\" ADD COLUMN \"note\" varchar(9) DEFAULT 'mine'");
      table.addVariable(Variable.of("note", "string"));
      for (int i = 0; i < 2; i++) {
        assertThatThrownBy(() -> table.publish(sink))
            .isInstanceOf(SparkNdException.class)
            .hasMessageContaining("column note of users at jdbc:h2:mem:columns was not made by");
      }
      table.dropVariable("note").addVariable(Variable.of("other", "string"));
      assertThat(table.publish(sink).kind()).isEqualTo(Kind.FULL);
      try (ResultSet rows = statement.executeQuery("SELECT MAX(\"note\") FROM \"users\"")) {
        assertThat(rows.next()).isTrue();
        assertThat(rows.getString(1)).isEqualTo("mine");
      }
    }
  }

  @Tag("slow")
  @Test
  void textThatPostgresCannotHoldIsNamed() throws Exception {
    try (OnlineReplica replica = Store.POSTGRES.start()) {
      FeatureTable table = users();
      table.scatter(spark.sql("SELECT 'u07' AS user, 'a' || char(0) || 'b' AS city"));
      assertThatThrownBy(() -> table.publish(replica.sink()))
          .isInstanceOf(SparkNdException.class)
          .hasMessageContaining("column city of key [u07] has the character U+0000");
      table.scatter(spark.sql("SELECT 'u07' AS user, 'ab' AS city"));
      table.publish(replica.sink());
      check(replica, table);
    }
  }

  /** They were all -infinity, of which a key can have one. */
  @Tag("slow")
  @Test
  void datesThatPostgresCannotHoldAreNamed() throws Exception {
    try (OnlineReplica replica = Store.POSTGRES.start()) {
      FeatureTable table =
          FeatureTable.create(
              spark,
              TestTables.name(),
              FeatureTableSpec.keyedBy("day", "date")
                  .with(Variable.of("d", "date"))
                  .with(Variable.of("t", "timestamp"))
                  .with(Variable.of("n", "timestamp_ntz")));
      String first =
          "timestamp_seconds(%d)".formatted(LocalDate.of(-4712, 1, 1).toEpochDay() * 86_400);
      for (String early :
          List.of(
              "make_date(-4713, 12, 31) AS day",
              "current_date() AS day, make_date(-4999, 1, 1) AS d",
              "current_date() AS day, %s - INTERVAL 1 SECOND AS t".formatted(first),
              "current_date() AS day, TIMESTAMP_NTZ '-4713-12-31 23:59:59' AS n")) {
        table.scatter(spark.sql("SELECT " + early));
        String column = early.substring(early.lastIndexOf(' ') + 1);
        assertThatThrownBy(() -> table.publish(replica.sink()))
            .isInstanceOf(SparkNdException.class)
            .hasMessageContaining("column " + column + " of key [")
            .hasMessageMatching("(?s).* is -4(713-12-31|999-01-01).*before 4713 BC.*");
        table.evict("true");
      }
      table.scatter(spark.sql("SELECT make_date(-4712, 1, 1) AS day, %s AS t".formatted(first)));
      table.publish(replica.sink());
      try (Connection connection = DriverManager.getConnection(((JdbcSink) replica.sink()).url());
          Statement statement = connection.createStatement();
          ResultSet row =
              statement.executeQuery("SELECT day::text, (t AT TIME ZONE 'UTC')::text FROM users")) {
        assertThat(row.next()).isTrue();
        assertThat(row.getString(1)).isEqualTo("4713-01-01 BC");
        assertThat(row.getString(2)).isEqualTo("4713-01-01 00:00:00 BC");
      }
    }
  }

  /**
   * PostgreSQL cuts names after 63 bytes, and {@code \\} is an escape in patterns of its driver.
   */
  @Tag("slow")
  @Test
  void columnsOfAnyNameMayComeAndGo() throws Exception {
    try (OnlineReplica replica = Store.POSTGRES.start()) {
      FeatureTable table = users();
      String wide = "é".repeat(40);
      table
          .addVariable(Variable.of(wide, "int").withFill(1))
          .addVariable(Variable.of("a\\b", "int").withFill(2))
          .addVariable(Variable.of("100%", "int").withFill(3));
      JdbcSink sink = ((JdbcSink) replica.sink()).withName("users" + "s".repeat(80));
      table.publish(sink);
      table.dropVariable("a\\b").addVariable(Variable.of("a\\b", "string").withFill("new"));
      assertThat(table.publish(sink).kind()).isEqualTo(Kind.FULL);
      table.dropVariable(wide).dropVariable("100%");
      assertThat(table.publish(sink).kind()).isEqualTo(Kind.FULL);
      try (Connection connection = DriverManager.getConnection(sink.url());
          Statement statement = connection.createStatement();
          ResultSet row = statement.executeQuery("SELECT * FROM users" + "s".repeat(58))) {
        assertThat(row.next()).isTrue();
        assertThat(row.getString("a\\b")).isEqualTo("new");
        assertThat(row.getMetaData().getColumnCount()).isEqualTo(6);
      }
    }
  }

  /** The driver's connection would be idle while the tasks write. */
  @Tag("slow")
  @Test
  void serverMayCloseIdleConnections() throws Exception {
    try (OnlineReplica replica = Store.POSTGRES.start()) {
      FeatureTable table = users();
      table.publish(replica.sink());
      String url = ((JdbcSink) replica.sink()).url();
      try (Connection connection = DriverManager.getConnection(url);
          Statement statement = connection.createStatement()) {
        statement.execute(
            "CREATE FUNCTION slow() RETURNS trigger AS 'BEGIN PERFORM pg_sleep(4); RETURN NEW; END' LANGUAGE plpgsql");
        statement.execute("CREATE TRIGGER slow BEFORE INSERT ON users EXECUTE FUNCTION slow()");
        statement.execute("ALTER ROLE nd SET idle_session_timeout = '2s'");
      }
      update(table, "u01");
      assertThat(table.publish(replica.sink()).kind()).isEqualTo(Kind.CHANGES);
      check(replica, table);
    }
  }

  /** The step that failed at the row cannot be completed. */
  @Tag("slow")
  @Test
  void aValueThatTheStoreRefusesMayBeCorrected() throws Exception {
    try (OnlineReplica replica = Store.POSTGRES.start()) {
      FeatureTable table = users();
      table.publish(replica.sink());
      table.scatter(spark.sql("SELECT 'u07' AS user, 'a' || char(0) || 'b' AS city"));
      assertThatThrownBy(() -> table.publish(replica.sink())).hasMessageContaining("U+0000");
      table.scatter(spark.sql("SELECT 'u07' AS user, 'ab' AS city"));
      assertThat(table.publish(replica.sink()).kind()).isEqualTo(Kind.FULL);
      check(replica, table);
    }
  }

  @Test
  void aKeyThatTheDatabaseRefusesMayBeEvicted() throws Exception {
    try (OnlineReplica replica = Store.H2.start()) {
      FeatureTable table = users();
      table.publish(replica.sink());
      table.scatter(spark.sql("SELECT repeat('x', 300) AS user, 1L AS views"));
      assertThatThrownBy(() -> table.publish(replica.sink()))
          .isInstanceOf(SparkNdException.class)
          .hasMessageContaining("refuses a row: Value too long for column")
          .hasMessageContaining("correct or evict it, and publish again");
      table.evict("user LIKE 'x%'");
      assertThat(table.publish(replica.sink()).kind()).isEqualTo(Kind.FULL);
      check(replica, table);
    }
  }

  @Test
  void aRowWhoseKeyOthersHaveMayBeEvicted() throws Exception {
    try (OnlineReplica replica = Store.REDIS.start()) {
      FeatureTable table = users();
      table.publish(replica.sink());
      update(table, "u99");
      replica.refuse("u99");
      assertThatThrownBy(() -> table.publish(replica.sink())).hasMessageContaining("users:u99");
      table.evict("user = 'u99'");
      assertThat(table.publish(replica.sink()).kind()).isEqualTo(Kind.FULL);
      replica.accept("u99");
      check(replica, table);
    }
  }

  @Tag("slow")
  @ParameterizedTest
  @EnumSource(Store.class)
  void rowsOfAnotherTableAreNotReplaced(Store store) throws Exception {
    try (OnlineReplica replica = store.start()) {
      FeatureTable table = users();
      FeatureTable other = users();
      table.publish(replica.sink());
      update(other, "u01");
      assertThatThrownBy(() -> other.publish(replica.sink()))
          .isInstanceOf(SparkNdException.class)
          .hasMessageContaining("users at ")
          .hasMessageContaining("holds rows of another table, " + table.name());
      check(replica, table);
    }
  }

  @Test
  void tableOfOthersIsNotReplaced() throws Exception {
    String url = "jdbc:h2:mem:others";
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE \"users\" (n int)");
      statement.execute("INSERT INTO \"users\" VALUES (42)");
      FeatureTable table = users();
      assertThatThrownBy(() -> table.publish(JdbcSink.at(url).withName("users")))
          .isInstanceOf(SparkNdException.class)
          .hasMessageContaining("users exists at jdbc:h2:mem:others, but is not of a publication");
      try (ResultSet rows = statement.executeQuery("SELECT * FROM \"users\"")) {
        assertThat(rows.next()).isTrue();
        assertThat(rows.getInt(1)).isEqualTo(42);
      }
    }
  }

  @Test
  void databasesThatMixUpKeysAreRefused() throws Exception {
    FeatureTable table = users();
    JdbcSink sink = JdbcSink.at("jdbc:h2:mem:mixed;IGNORECASE=TRUE").withName("users");
    try (Connection open = DriverManager.getConnection(sink.url())) {
      assertThat(open.isValid(1)).isTrue();
      for (int i = 0; i < 2; i++) {
        assertThatThrownBy(() -> table.publish(sink))
            .isInstanceOf(SparkNdException.class)
            .hasMessageContaining("equal to 'K'");
      }
    }
  }

  @Test
  void redisHasBytesOfValues() throws Exception {
    FeatureTable table =
        FeatureTable.create(
            spark,
            TestTables.name(),
            FeatureTableSpec.keyedBy("shop", "string")
                .andKey("day", "date")
                .with(Variable.of("n", "bigint"))
                .with(Variable.of("price", "decimal(10, 2)"))
                .with(Variable.of("seen", "timestamp"))
                .with(Variable.of("tags", "array<string>"))
                .with(Variable.of("taste", DType.FLOAT16, 2)));
    table.scatter(
        spark.sql(
            "SELECT 'a:b%' AS shop, DATE '2026-01-02' AS day, 258L AS n, 1.50BD AS price,"
                + " timestamp_micros(3) AS seen, array('x', NULL) AS tags,"
                + " array(1F, -2F) AS taste"));
    try (RedisServer server = RedisServer.start();
        Jedis client = server.client()) {
      table.publish(RedisSink.at(server.address()));
      String name = table.name().substring(table.name().lastIndexOf('.') + 1);
      Map<byte[], byte[]> row =
          client.hgetAll((name + ":a%3Ab%25:2026-01-02").getBytes(StandardCharsets.UTF_8));
      Map<String, byte[]> fields = new TreeMap<>();
      row.forEach((field, value) -> fields.put(new String(field, StandardCharsets.UTF_8), value));
      assertThat(fields)
          .containsOnlyKeys("_sparknd_version", "n", "price", "seen", "tags", "taste");
      assertThat(fields.get("n")).isEqualTo(new byte[] {2, 1, 0, 0, 0, 0, 0, 0});
      assertThat(fields.get("price")).asString().isEqualTo("1.50");
      assertThat(ByteBuffer.wrap(fields.get("seen")).order(ByteOrder.LITTLE_ENDIAN).getLong())
          .isEqualTo(3);
      assertThat(fields.get("tags")).asString().isEqualTo("[\"x\",null]");
      assertThat(fields.get("taste")).isEqualTo(new byte[] {0, 0x3C, 0, (byte) 0xC0});
    }
  }

  @Test
  void procedurePublishes() throws Exception {
    spark.conf().set("spark.sql.catalog.nd", io.sparknd.sql.NdCatalog.class.getName());
    FeatureTable table = users();
    String url = "jdbc:sqlite:" + java.nio.file.Files.createTempFile("sparknd", ".db");
    String call =
        "CALL nd.system.publish(table => '"
            + table.name()
            + "', sink => '"
            + url
            + "', "
            + "name => 'users', properties => map('busy_timeout', '9000'))";
    assertThat(spark.sql(call).first().<String>getAs("kind")).isEqualTo("full");
    update(table, "u01");
    Row changes = spark.sql(call).first();
    assertThat(changes.<String>getAs("kind")).isEqualTo("changes");
    assertThat(changes.<Long>getAs("upserted")).isEqualTo(1);
    assertThatThrownBy(() -> spark.sql(call.replace("'users'", "'a:b'")))
        .hasMessageContaining("'a:b' cannot name a publication");
    assertThatThrownBy(() -> spark.sql(call.replace("name => 'users'", "`values` => 'xml'")))
        .hasMessageContaining("use bytes or json");
    assertThatThrownBy(() -> spark.sql(call.replace(url, "redis://127.0.0.1:1")))
        .hasMessageContaining("argument properties is of JDBC connections");
  }

  @Test
  void aKeyThatIsNotUtf8MayBeEvicted() throws Exception {
    try (OnlineReplica replica = Store.SQLITE.start()) {
      FeatureTable table = users();
      table.publish(replica.sink());
      table.scatter(spark.sql("SELECT CAST(X'FF' AS string) AS user, 1L AS views"));
      for (int i = 0; i < 2; i++) {
        assertThatThrownBy(() -> table.publish(replica.sink()))
            .isInstanceOf(SparkNdException.class)
            .hasMessageContaining("is the string X'FF', which is not UTF-8");
      }
      table.evict("hex(user) = 'FF'");
      assertThat(table.publish(replica.sink()).kind()).isEqualTo(Kind.FULL);
      check(replica, table);
      update(table, "u01");
      assertThat(table.publish(replica.sink()).kind()).isEqualTo(Kind.CHANGES);
    }
  }

  /** Strings of hashes, which drivers would make the same replacement characters of. */
  @Test
  void stringsThatAreNotUtf8AreNoOtherStrings(@TempDir Path folder) throws Exception {
    FeatureTable table =
        FeatureTable.create(
            spark,
            TestTables.name(),
            FeatureTableSpec.keyedBy("shop", "string")
                .andKey("n", "int")
                .with(Variable.of("m", "map<struct<a: int>, string>"))
                .with(Variable.of("s", "string")));
    String keys = "VALUES (X'FF'), (X'FE'), (X'253AFF') AS h(hash)";
    table.scatter(
        spark.sql(
            "SELECT CAST(hash AS string) AS shop, 1 AS n, 't' AS s,"
                + " map(struct(1), 'a', struct(2), 'b') AS m FROM "
                + keys));
    String url = "jdbc:sqlite:" + folder.resolve("online.db");
    assertThatThrownBy(() -> table.publish(JdbcSink.at(url)))
        .hasMessageContaining("column shop of key")
        .hasMessageContaining("which is not UTF-8");
    try (RedisServer server = RedisServer.start();
        Jedis client = server.client()) {
      table.publish(RedisSink.at(server.address()).withName("shops"));
      for (byte[] shop :
          List.of(
              new byte[] {-1},
              new byte[] {-2},
              "%25%3A\u00FF".getBytes(StandardCharsets.ISO_8859_1))) {
        byte[] key = ArrayUtils.addAll("shops:".getBytes(StandardCharsets.UTF_8), shop);
        key = ArrayUtils.addAll(key, ":1".getBytes(StandardCharsets.UTF_8));
        assertThat(client.hget(key, "m".getBytes(StandardCharsets.UTF_8)))
            .asString(StandardCharsets.UTF_8)
            .isEqualTo("{\"{\\\"a\\\":1}\":\"a\",\"{\\\"a\\\":2}\":\"b\"}");
      }
    }
  }

  @Test
  void aBinaryFillValueIsNoOtherColumnEachTime(@TempDir Path folder) {
    FeatureTable table =
        FeatureTable.create(
            spark,
            TestTables.name(),
            FeatureTableSpec.keyedBy("user", "string")
                .with(Variable.of("sketch", "binary").withFill("abc"))
                .withBuckets(1));
    table.scatter(spark.sql("SELECT 'u' AS user"));
    JdbcSink sink = JdbcSink.at("jdbc:sqlite:" + folder.resolve("online.db"));
    assertThat(table.publish(sink).kind()).isEqualTo(Kind.FULL);
    assertThat(FeatureTable.open(spark, table.name()).publish(sink).kind())
        .isEqualTo(Kind.UNCHANGED);
  }

  private Kind publish(FeatureTable table, JdbcSink sink) {
    SparkSession.setActiveSession(spark);
    return table.publish(sink).kind();
  }

  /** Tasks, and publications of other tables to the file, write one after the other. */
  @Tag("slow")
  @Test
  void writersOfAFileOfSqliteWaitForEachOther(@TempDir Path folder) throws Exception {
    FeatureTable table = users();
    JdbcSink sink = JdbcSink.at("jdbc:sqlite:" + folder.resolve("online.db"));
    table.publish(sink);
    update(table, "u01");
    try (Connection other = DriverManager.getConnection(sink.url());
        Statement statement = other.createStatement()) {
      statement.execute("BEGIN IMMEDIATE");
      CompletableFuture<Kind> kind = CompletableFuture.supplyAsync(() -> publish(table, sink));
      TimeUnit.SECONDS.sleep(5); // longer than the driver's default
      statement.execute("COMMIT");
      assertThat(kind.get()).isEqualTo(Kind.CHANGES);
      statement.execute("BEGIN IMMEDIATE");
      kind = CompletableFuture.supplyAsync(() -> publish(table, sink.withName("again")));
      TimeUnit.SECONDS.sleep(5);
      statement.execute("COMMIT");
      assertThat(kind.get()).isEqualTo(Kind.FULL);
    }
  }

  @Test
  void addressesAreShownWithoutCredentials() {
    FeatureTable table = users();
    for (RuntimeException error :
        Arrays.asList(
            failure(() -> table.publish(RedisSink.at("redis://me:secret@127.0.0.1:1/0"))),
            failure(() -> table.publish(JdbcSink.at("jdbc:none://me:secret@h/d?password=secret"))),
            failure(() -> RedisSink.at("http://me:secret@h")),
            failure(() -> RedisSink.at("redis://:secret/secret@h:6379")),
            failure(() -> RedisSink.at("redis://h:6379?password=secret")),
            failure(() -> table.publish(JdbcSink.at("jdbc:none:thin:me/secret@//h:1521/x"))),
            failure(() -> table.publish(JdbcSink.at("jdbc:none://me:secret?secret@h/d"))),
            failure(() -> table.publish(JdbcSink.at("jdbc:none://a=(host=h)(password=secret)/d"))),
            failure(() -> table.publish(JdbcSink.at("jdbc:none://h/d?user=a@b&password=secret"))),
            failure(() -> table.publish(JdbcSink.at("jdbc:none://h/d?user=me&password=s@secret"))),
            failure(() -> table.publish(JdbcSink.at("jdbc:none://h;user=me;password=p@secret"))),
            failure(() -> table.publish(JdbcSink.at("jdbc:none://h:5/d:password=secret;user=a"))),
            failure(() -> RedisSink.at("redis://h:6379?user=a@b&password=secret")),
            failure(() -> JdbcSink.at("//me:secret@h")))) {
      assertThat(error).isInstanceOf(SparkNdException.class);
      assertThat(error.toString()).doesNotContain("secret");
    }
  }

  /** Jedis ignores parameters: rows went into database 0. */
  @Test
  void databasesOfRedisAreNumbersBehindThePort() {
    for (String address :
        List.of("redis://h:6379?db=2", "redis://h/2?db=3", "redis://h/#2", "redis://h/cache")) {
      assertThatThrownBy(() -> RedisSink.at(address))
          .isInstanceOf(SparkNdException.class)
          .hasMessageContaining("with /2 behind it for database 2, and no parameters");
    }
    assertThatThrownBy(() -> RedisSink.at("redis://my_redis:6379")) // as services of Docker have
        .isInstanceOf(SparkNdException.class)
        .hasMessageContaining("with no underscore in the name of the host");
    for (String address : List.of("redis://h", "redis://h/", "rediss://me:p%3F@h:1/2")) {
      assertThat(RedisSink.at(address).server().getHost()).isEqualTo("h");
    }
  }

  private static RuntimeException failure(Runnable call) {
    try {
      call.run();
    } catch (RuntimeException e) {
      return e;
    }
    throw new AssertionError("no error");
  }

  private void set(TensorTable table, String batch, String rows) {
    Dataset<Row> updates = spark.sql("SELECT user, array(n, m) AS v FROM " + rows);
    table
        .write()
        .batchId(batch)
        .scatter(Scatter.update(), updates, TensorColumns.of("v", "user"))
        .commit();
  }

  private static void check(OnlineReplica replica, TensorTable table) throws Exception {
    Map<String, List<String>> expected = new TreeMap<>();
    for (Row row : table.toDataset().collectAsList()) {
      expected.put(row.get(0).toString(), row.getList(1).stream().map(String::valueOf).toList());
    }
    assertThat(replica.rows(List.of("n", "m"))).isEqualTo(expected);
  }

  /** Creates a tensor of 40 pairs. */
  private static TensorTable pairs() {
    return TestTables.create(
        TensorSpec.of(DType.UINT8, Shape.of(40, 2))
            .withIndexColumns("user")
            .withFeatures("n", "m")
            .withRowsPerBlock(7));
  }

  @ParameterizedTest
  @EnumSource(
      value = Store.class,
      names = {"H2", "REDIS"})
  void replicaFollowsATensor(Store store) throws Exception {
    TensorTable table = pairs();
    set(table, "a", "(SELECT id AS user, smallint(250) AS n, smallint(id) AS m FROM range(20))");
    try (OnlineReplica replica = store.start()) {
      TablePublication first = table.publish(replica.sink());
      assertThat(first.kind()).isEqualTo(Kind.FULL);
      assertThat(first.upserted()).isEqualTo(20);
      check(replica, table);
      assertThat(table.publish(replica.sink()).kind()).isEqualTo(Kind.UNCHANGED);
      set(table, "b", "VALUES (3, 0S, 0S), (4, 250S, 4S), (39, 1S, 2S) AS e(user, n, m)");
      spark.sql("DELETE FROM " + table.name() + " WHERE user IN (5, 17)");
      table.compact();
      assertThat(table.publish(replica.sink()))
          .extracting(TablePublication::kind, TablePublication::upserted, TablePublication::deleted)
          .containsExactly(Kind.CHANGES, 2L, 2L); // row 4 is as it was
      check(replica, table);
      TablePublication back = table.batch("a").publish(replica.sink());
      assertThat(back.upserted() + back.deleted()).isEqualTo(4);
      check(replica, table.batch("a"));
    }
  }

  @Test
  void aRowThatIsNotOfTheTensorMayBeCorrected() throws Exception {
    TensorTable table = pairs();
    set(table, "a", "VALUES (3, 0S, 1S), (4, 2S, 4S), (5, 2S, 4S) AS e(user, n, m)");
    try (OnlineReplica replica = Store.SQLITE.start()) {
      table.publish(replica.sink());
      set(table, "b", "VALUES (3, 1S, 1S), (12, 2S, 4S) AS e(user, n, m)");
      spark.sql("DELETE FROM " + table.name() + " WHERE user = 5");
      spark.sql("INSERT INTO " + table.name() + " VALUES (41L, 1, 1)");
      String problem = "user = 41 in row 0 is out of bounds";
      assertThatThrownBy(() -> table.publish(replica.sink())).hasMessageContaining(problem);
      assertThatThrownBy(() -> table.publish(replica.sink())).hasMessageContaining(problem);
      spark.sql("DELETE FROM " + table.name() + " WHERE user = 41");
      set(table, "c", "VALUES (4, 7S, 8S) AS e(user, n, m)");
      assertThat(table.publish(replica.sink()).kind()).isEqualTo(Kind.FULL);
      check(replica, table);
      set(table, "d", "VALUES (4, 9S, 8S) AS e(user, n, m)");
      assertThat(table.publish(replica.sink()).kind()).isEqualTo(Kind.CHANGES);
      check(replica, table);
    }
  }

  /**
   * The store has a state of the larger size, and later publications do not open the file again.
   */
  @Test
  void aRowBeyondASmallerSizeIsNotSent() throws Exception {
    TensorTable table = pairs();
    set(table, "a", "VALUES (3, 0S, 1S), (4, 2S, 4S) AS e(user, n, m)");
    try (OnlineReplica replica = Store.SQLITE.start()) {
      table.publish(replica.sink());
      table.resize(20);
      spark.sql("INSERT INTO " + table.name() + " VALUES (35L, 1, 1)");
      assertThatThrownBy(() -> table.publish(replica.sink()))
          .hasMessageContaining("user = 35 in row 0 is out of bounds for shape [20]");
      assertThat(replica.rows(List.of("n"))).containsOnlyKeys("3", "4");
    }
  }

  @Test
  void slicesOfTensorsAreBytesOfTheirDtype() throws Exception {
    TensorTable table =
        TestTables.create(TensorSpec.of(DType.FLOAT16, Shape.of(9, 3, 2)).withIndexDepth(2));
    table.scatter(
        Scatter.update(),
        spark.sql("SELECT 8 AS a, 2 AS b, array(1F, -2F) AS v"),
        TensorColumns.of("v", "a", "b"));
    String url = "jdbc:h2:mem:tensor" + System.nanoTime();
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      spark.conf().set("spark.sql.catalog.nd", NdCatalog.class.getName());
      String call = "CALL nd.system.publish('%s', '%s', name => 'online')";
      Row done = spark.sql(call.formatted(table.name(), url)).first();
      assertThat(done.getString(0)).isEqualTo("full");
      try (ResultSet found = statement.executeQuery("SELECT * FROM \"online\"")) {
        assertThat(found.next()).isTrue();
        assertThat(found.getLong("i0")).isEqualTo(8);
        assertThat(found.getLong("i1")).isEqualTo(2);
        assertThat(found.getBytes("value")).containsExactly(0, 0x3c, 0, 0xc0); // half precision
        assertThat(found.next()).isFalse();
      }
    }
  }
}
