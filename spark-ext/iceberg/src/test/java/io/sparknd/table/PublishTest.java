/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table;

import static io.sparknd.table.PublishedTables.check;
import static io.sparknd.table.PublishedTables.failure;
import static io.sparknd.table.PublishedTables.publishInVain;
import static io.sparknd.table.PublishedTables.update;
import static io.sparknd.table.PublishedTables.users;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparknd.table.OnlineReplica.Store;
import io.sparknd.table.exceptions.CommitConflictException;
import io.sparknd.table.options.FeatureTableSpec;
import io.sparknd.table.options.Retention;
import io.sparknd.table.options.Variable;
import io.sparknd.table.publish.JdbcSink;
import io.sparknd.table.publish.RedisSink;
import io.sparknd.table.result.TablePublication;
import io.sparknd.table.result.TablePublication.Kind;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.SparkNdException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.apache.spark.TaskContext;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import redis.clients.jedis.Jedis;

/** Tests {@link FeatureTable#publish} to real servers where they are installed. */
class PublishTest {
  private final SparkSession spark = TestTables.spark();

  @BeforeEach
  void activate() {
    SparkSession.setActiveSession(spark);
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
}
