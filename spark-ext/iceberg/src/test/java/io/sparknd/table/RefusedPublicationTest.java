/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table;

import static io.sparknd.table.PublishedTables.check;
import static io.sparknd.table.PublishedTables.update;
import static io.sparknd.table.PublishedTables.users;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparknd.table.OnlineReplica.Store;
import io.sparknd.table.options.FeatureTableSpec;
import io.sparknd.table.options.Variable;
import io.sparknd.table.publish.JdbcSink;
import io.sparknd.table.publish.RedisSink;
import io.sparknd.table.result.TablePublication.Kind;
import io.sparknd.tensor.SparkNdException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.LocalDate;
import java.util.List;
import org.apache.commons.lang3.ArrayUtils;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import redis.clients.jedis.Jedis;

/** Tests what publications refuse, and rows that a store refuses. */
class RefusedPublicationTest {
  private final SparkSession spark = TestTables.spark();

  @BeforeEach
  void activate() {
    SparkSession.setActiveSession(spark);
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
}
