/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.publish;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparknd.table.RedisServer;
import io.sparknd.table.SlowDriver;
import io.sparknd.table.TlsServer;
import io.sparknd.table.internal.key.KeyColumn;
import io.sparknd.table.internal.key.KeyType;
import io.sparknd.table.publish.JdbcSink;
import io.sparknd.table.publish.PublishSink;
import io.sparknd.table.publish.RedisSink;
import io.sparknd.table.publish.ValueFormat;
import io.sparknd.tensor.SparkNdException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import org.apache.spark.unsafe.types.UTF8String;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.PGProperty;
import redis.clients.jedis.Jedis;

/** Tests that stores take changes of the last step only, and keep what others have there. */
class SinkStoreTest {
  private static final TableState EMPTY = new TableState(Optional.empty());
  private static final TableState LATER = new TableState(Optional.of(42L));

  @Test
  void databaseTakesOnlyTheLastStep() throws Exception {
    check(JdbcSink.at("jdbc:sqlite:" + Files.createTempFile("sparknd", ".db")));
    try (Connection open = DriverManager.getConnection("jdbc:h2:mem:steps")) {
      check(JdbcSink.at("jdbc:h2:mem:steps"));
      assertThat(open.isValid(1)).isTrue();
    }
  }

  /** A driver whose class needs one that is missing. */
  public static final class BrokenDriver extends SlowDriver {
    public BrokenDriver() {
      throw new NoClassDefFoundError("org/other/Needed");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "org.other.Misspelt, java.lang.ClassNotFoundException: org.other.Misspelt",
    "java.lang.String, java.lang.ClassCastException: ",
    "io.sparknd.table.internal.publish.SinkStoreTest$BrokenDriver, java.lang.NoClassDefFoundError: org/other/Needed",
  })
  void aDriverThatCannotBeLoadedIsNamedWithTheCause(String driver, String reason) {
    StoreAddress address =
        StoreAddress.of(JdbcSink.at("jdbc:other://h/d").withProperty("driver", driver));
    assertThatThrownBy(() -> JdbcConnections.open(address))
        .isInstanceOf(SparkNdException.class)
        .hasMessageContaining("JDBC driver " + driver + " cannot be loaded: " + reason)
        .hasCauseInstanceOf(Throwable.class);
  }

  @Test
  void missingFolderOfADatabaseIsNamed(@TempDir Path folder) throws Exception {
    Path missing = folder.resolve("of stores/daily");
    Path file = missing.resolve("online.db");
    SinkStores stores = stores(JdbcSink.at("jdbc:sqlite:" + file + "?busy_timeout=100"), columns());
    assertThatThrownBy(stores::open)
        .isInstanceOf(SparkNdException.class)
        .hasMessageContaining("its folder " + missing + " does not exist; create it")
        .hasMessageNotContaining("publish again");
    Files.createDirectories(missing);
    assertThat(position(stores)).isEmpty();
    Files.deleteIfExists(file);
    Files.createDirectory(file);
    assertThatThrownBy(() -> position(stores)).hasMessageContaining("publish again");
  }

  @Test
  void unknownParametersOfSqliteMakeNoFile(@TempDir Path folder) throws Exception {
    String file = "jdbc:sqlite:" + folder.resolve("online.db");
    assertThat(position(stores(JdbcSink.at(file + "?busy_timeout=100&Synchronous=1"), columns())))
        .isEmpty();
    SinkStores stores = stores(JdbcSink.at(file + "?busy_timeout=100&user=x"), columns());
    assertThatThrownBy(stores::open)
        .hasMessageContaining("'user' is not a parameter of SQLite")
        .hasMessageNotContaining("user=x");
    try (Stream<Path> files = Files.list(folder)) {
      assertThat(files).containsExactly(folder.resolve("online.db"));
    }
  }

  /** Drivers take names of schemas and tables for patterns, in which _ is any character. */
  @Test
  void schemasThatLookAlikeAreNotMixedUp() throws Exception {
    String address = "jdbc:h2:mem:schemas";
    try (Connection open = DriverManager.getConnection(address);
        Statement statement = open.createStatement()) {
      statement.execute("CREATE SCHEMA \"axb\"");
      statement.execute("CREATE SCHEMA \"a_b\"");
      StoreAddress store = StoreAddress.of(JdbcSink.at(address));
      for (String name : List.of("axb.users", "a_b.users")) {
        SinkStores stores = new SinkStores(store, name, columns());
        SinkPosition one = step(1, Optional.empty(), columns());
        try (SinkStore first = stores.open()) {
          assertThat(first.position()).as(name).isEmpty();
          assertThat(first.begin(Optional.empty(), one)).isTrue();
          assertThat(first.write(1, List.of(row(1)))).isPositive();
          assertThat(first.position()).contains(one);
        }
      }
    }
  }

  private static Optional<SinkPosition> position(SinkStores stores) {
    try (SinkStore store = stores.open()) {
      return store.position();
    }
  }

  @Test
  void redisTakesOnlyTheLastStep() throws Exception {
    try (RedisServer server = RedisServer.start()) {
      check(RedisSink.at(server.address()));
    }
  }

  /**
   * Keys of each kind that others may have, among more new rows than one call of a script takes.
   */
  @Test
  void redisKeepsKeysOfOthers() throws Exception {
    try (RedisServer server = RedisServer.start();
        Jedis redis = server.client();
        SinkStore store = stores(RedisSink.at(server.address()), columns()).open()) {
      assertThat(store.begin(Optional.empty(), step(1, Optional.empty(), columns()))).isTrue();
      redis.set("users:u2999", "a text");
      redis.rpush("users:u2998", "a list");
      redis.hset("users:u2997", "name", "a hash");
      List<PublishedRow> rows = IntStream.range(0, 2997).mapToObj(SinkStoreTest::row).toList();
      store.write(1, rows);
      store.write(1, rows);
      for (int foreign : List.of(2997, 2998, 2999)) {
        assertThatThrownBy(() -> store.write(1, List.of(row(0), row(3000), row(foreign))))
            .hasMessageContaining("users:u" + foreign);
      }
      assertThat(redis.exists("users:u3000")).isFalse();
      assertThat(redis.hgetAll("users:u0"))
          .isEqualTo(Map.of(PublishedColumns.VERSION, "1"))
          .isEqualTo(redis.hgetAll("users:u2996"));
      assertThat(store.deleteOlder(1)).isZero();
      assertThat(store.write(1, List.of(new PublishedRow(row(0).key(), null, 0)))).isPositive();
      assertThat(redis.dbSize()).isEqualTo(1 + 2996 + 3);
      assertThat(redis.get("users:u2999")).isEqualTo("a text");
    }
  }

  /** The password went to whoever had a certificate of a known authority. */
  @ParameterizedTest
  @CsvSource({"localhost, true", "elsewhere.example.net, false"})
  void passwordsGoOnlyToTheHostOfTheCertificate(String host, boolean isTold, @TempDir Path folder)
      throws Exception {
    SSLContext former = SSLContext.getDefault();
    try (TlsServer server = TlsServer.start(folder, host)) {
      SSLContext.setDefault(server.context());
      String address = "rediss://feeder:secret@localhost:" + server.port();
      SinkStores stores = stores(RedisSink.at(address), columns());
      assertThatThrownBy(() -> position(stores)).isInstanceOf(SparkNdException.class);
      assertThat(server.received().contains("secret")).isEqualTo(isTold);
    } finally {
      SSLContext.setDefault(former);
    }
  }

  /** A read would never return if the server is gone: the driver's own default is none. */
  @Test
  void connectionsToPostgresAreKeptAlive() {
    JdbcSink sink =
        JdbcSink.at("jdbc:postgresql://127.0.0.1:1/online")
            .withProperty("driver", WatchedDriver.class.getName());
    assertThat(isKeptAlive(sink)).isTrue();
    assertThat(isKeptAlive(sink.withProperty("tcpKeepAlive", "false"))).isFalse();
  }

  private static boolean isKeptAlive(JdbcSink sink) {
    assertThatThrownBy(() -> stores(sink, columns()).open()).hasMessageContaining("publish again");
    return PGProperty.TCP_KEEP_ALIVE.getBoolean(WatchedDriver.given);
  }

  /** Two tables, of which each is the first that is published to the database. */
  @ParameterizedTest
  @ValueSource(strings = {"jdbc:h2:mem:meanwhile;DB_CLOSE_DELAY=-1", "jdbc:sqlite:%s/online.db"})
  void tableOfPositionsMayAppearMeanwhile(String url, @TempDir Path folder) {
    JdbcSink sink = JdbcSink.at(url.formatted(folder));
    JdbcSink watched = sink.withProperty("driver", WatchedDriver.class.getName());
    AtomicBoolean hasBegun = new AtomicBoolean();
    WatchedDriver.beforeStatement =
        () -> {
          if (!hasBegun.getAndSet(true)) {
            begin(sink, "items");
          }
        };
    try {
      begin(watched, "users");
      assertThat(hasBegun).isTrue();
      assertThatThrownBy(() -> begin(watched, "missing.users"))
          .isInstanceOf(SparkNdException.class)
          .hasMessageContaining("missing");
    } finally {
      WatchedDriver.beforeStatement = () -> {};
    }
  }

  /** Neither sees a position of the other; the database refuses the second one. */
  @Test
  void onlyOneOfTwoFirstPublicationsBegins() {
    JdbcSink sink = JdbcSink.at("jdbc:h2:mem:first;DB_CLOSE_DELAY=-1");
    begin(sink, "items"); // makes the table of positions
    AtomicBoolean hasBegun = new AtomicBoolean();
    WatchedDriver.beforeInsert =
        () -> {
          if (!hasBegun.getAndSet(true)) {
            begin(sink, "users");
          }
        };
    JdbcSink watched = sink.withProperty("driver", WatchedDriver.class.getName());
    try (SinkStore store = stores(watched, columns()).open()) {
      SinkPosition late = step(2, Optional.empty(), columns());
      assertThat(store.begin(Optional.empty(), late)).isFalse();
      assertThat(hasBegun).isTrue();
      assertThat(store.position()).contains(step(1, Optional.empty(), columns()));
    } finally {
      WatchedDriver.beforeInsert = () -> {};
    }
  }

  private static void begin(JdbcSink sink, String name) {
    SinkStores stores = new SinkStores(StoreAddress.of(sink), name, columns());
    SinkPosition one = step(1, Optional.empty(), columns());
    try (SinkStore store = stores.open()) {
      assertThat(store.begin(Optional.empty(), one)).isTrue();
      assertThat(store.position()).contains(one);
    }
  }

  /** A driver in front of that of an address. */
  static final class WatchedDriver extends SlowDriver {
    static volatile Properties given = new Properties();
    static volatile Runnable beforeStatement = () -> {};
    static volatile Runnable beforeInsert = () -> {};

    @Override
    public boolean acceptsURL(String url) {
      return true;
    }

    @Override
    public Connection connect(String url, Properties info) throws SQLException {
      given = info;
      Connection connection = DriverManager.getConnection(url, info);
      return (Connection)
          Proxy.newProxyInstance(
              WatchedDriver.class.getClassLoader(),
              new Class<?>[] {Connection.class},
              (proxy, method, arguments) -> {
                if (method.getName().equals("createStatement")) {
                  beforeStatement.run();
                }
                if (method.getName().equals("prepareStatement")
                    && arguments[0].toString().startsWith("INSERT")) {
                  beforeInsert.run();
                }
                try {
                  return method.invoke(connection, arguments);
                } catch (InvocationTargetException e) {
                  throw e.getCause();
                }
              });
    }
  }

  private static PublishedColumns columns() {
    return new PublishedColumns(
        List.of(new KeyColumn("user", 1, KeyType.STRING)), List.of(), List.of(), ValueFormat.BYTES);
  }

  private static SinkStores stores(PublishSink sink, PublishedColumns columns) {
    return new SinkStores(StoreAddress.of(sink), "users", columns);
  }

  private static PublishedRow row(int user) {
    return new PublishedRow(new Object[] {UTF8String.fromString("u" + user)}, List.of(), 0);
  }

  private static void check(PublishSink sink) {
    PublishedColumns columns = columns();
    SinkStores stores = stores(sink, columns);
    PublishedRow row = row(1);
    try (SinkStore first = stores.open();
        SinkStore second = stores.open()) {
      assertThat(first.position()).isEmpty();
      SinkPosition one = step(1, Optional.empty(), columns);
      assertThat(first.begin(Optional.empty(), one)).isTrue();
      assertThat(first.write(1, List.of(row))).isPositive();
      assertThat(second.position()).contains(one);

      SinkPosition two = step(2, Optional.of(EMPTY), columns);
      assertThat(second.begin(Optional.of(one), two)).isTrue();
      assertThat(first.begin(Optional.of(one), two)).isFalse();
      assertThat(first.write(1, List.of(row))).isEqualTo(-1);
      assertThat(first.deleteOlder(1)).isEqualTo(-1);
      assertThat(first.end(one.ended(columns.text()))).isFalse();
      assertThat(second.position()).contains(two);

      assertThat(second.deleteOlder(2)).isEqualTo(1);
      assertThat(second.end(two.ended(columns.text()))).isTrue();
      assertThat(first.position()).contains(two.ended(columns.text()));
    }
  }

  private static SinkPosition step(
      long epoch, Optional<TableState> from, PublishedColumns columns) {
    return new SinkPosition(
        "lake.shop.users",
        new UUID(1, 2),
        epoch,
        from,
        Optional.of(new PublishStep(from, LATER)),
        columns.text());
  }
}
