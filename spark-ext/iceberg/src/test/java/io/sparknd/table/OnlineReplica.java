/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table;

import io.sparknd.table.publish.JdbcSink;
import io.sparknd.table.publish.PublishSink;
import io.sparknd.table.publish.RedisSink;
import io.sparknd.table.publish.ValueFormat;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import redis.clients.jedis.Jedis;

/**
 * An online store of a test, read by its own client. Rows are of a table with a string key {@code
 * user}; values are JSON.
 */
abstract class OnlineReplica implements AutoCloseable {
  static final String NAME = "users";

  /** Kinds of stores, each with its server. */
  enum Store {
    SQLITE,
    H2,
    POSTGRES,
    REDIS;

    OnlineReplica start() throws Exception {
      return switch (this) {
        case SQLITE -> {
          Path folder = Files.createTempDirectory("sparknd-online");
          yield new Database("jdbc:sqlite:" + folder.resolve("online.db"), () -> {});
        }
        case H2 -> new Database("jdbc:h2:mem:online" + System.nanoTime(), () -> {});
        case POSTGRES -> {
          PostgresServer server = PostgresServer.start();
          yield new Database(server.address() + "?user=nd", server);
        }
        case REDIS -> new Redis(RedisServer.start());
      };
    }
  }

  abstract PublishSink sink();

  /** Returns the values of all rows by user: one text for each variable, null for NULL. */
  abstract Map<String, List<String>> rows(List<String> variables) throws Exception;

  /** Makes writes of a row fail. */
  abstract void refuse(String user) throws Exception;

  /** Ends {@link #refuse}. */
  abstract void accept(String user) throws Exception;

  /**
   * Forgets the refused row, which a publication of all rows would have deleted if the store still
   * had it.
   */
  void forgetRefused() {}

  private static final class Database extends OnlineReplica {
    private final String url;
    private final AutoCloseable server;
    private final Connection connection;

    Database(String url, AutoCloseable server) throws Exception {
      this.url = url;
      this.server = server;
      this.connection = DriverManager.getConnection(url);
    }

    @Override
    PublishSink sink() {
      return JdbcSink.at(url).withName(NAME).withValues(ValueFormat.JSON);
    }

    @Override
    Map<String, List<String>> rows(List<String> variables) throws Exception {
      Map<String, List<String>> rows = new TreeMap<>();
      try (Statement statement = connection.createStatement();
          ResultSet found = statement.executeQuery("SELECT * FROM \"" + NAME + "\"")) {
        while (found.next()) {
          List<String> values = new ArrayList<>();
          for (String variable : variables) {
            values.add(found.getString(variable));
          }
          if (rows.put(found.getString("user"), values) != null) {
            throw new AssertionError("twice: " + found.getString("user"));
          }
        }
      }
      return rows;
    }

    @Override
    void refuse(String user) throws Exception {
      long version;
      try (Statement statement = connection.createStatement();
          ResultSet max =
              statement.executeQuery("SELECT MAX(\"_sparknd_version\") FROM \"" + NAME + "\"")) {
        max.next();
        version = max.getLong(1);
      }
      execute(
          "ALTER TABLE \"users\" ADD CONSTRAINT refused CHECK (\"user\" <> '%s' OR \"_sparknd_version\" <= %d)"
              .formatted(user, version),
          "CREATE TRIGGER refused BEFORE INSERT ON users WHEN NEW.user = '%s' BEGIN SELECT RAISE(ABORT, 'refused'); END"
              .formatted(user));
    }

    @Override
    void accept(String user) throws Exception {
      execute("ALTER TABLE \"" + NAME + "\" DROP CONSTRAINT refused", "DROP TRIGGER refused");
    }

    private void execute(String standard, String sqlite) throws Exception {
      try (Statement statement = connection.createStatement()) {
        statement.execute(url.startsWith("jdbc:sqlite:") ? sqlite : standard);
      }
    }

    @Override
    public void close() throws Exception {
      connection.close();
      server.close();
    }
  }

  private static final class Redis extends OnlineReplica {
    private final RedisServer server;
    private final Jedis client;

    Redis(RedisServer server) {
      this.server = server;
      this.client = server.client();
    }

    @Override
    PublishSink sink() {
      return RedisSink.at(server.address()).withName(NAME).withValues(ValueFormat.JSON);
    }

    @Override
    Map<String, List<String>> rows(List<String> variables) {
      Map<String, List<String>> rows = new TreeMap<>();
      for (String key : client.keys(NAME + ":*")) {
        List<String> values = client.hmget(key, variables.toArray(String[]::new));
        rows.put(key.substring(NAME.length() + 1), values.stream().map(Redis::unquoted).toList());
      }
      return rows;
    }

    private static String unquoted(String json) {
      return json == null ? null : json.replaceAll("^\"|\"$", "");
    }

    @Override
    void refuse(String user) {
      String key = NAME + ":" + user;
      if (client.exists(key)) {
        client.rename(key, "aside");
      }
      client.set(key, "of others");
    }

    @Override
    void forgetRefused() {
      client.del("aside");
    }

    @Override
    void accept(String user) {
      String key = NAME + ":" + user;
      if (!Objects.equals(client.get(key), "of others")) {
        throw new AssertionError("overwritten");
      }
      client.del(key);
      if (client.exists("aside")) {
        client.rename("aside", key);
      }
    }

    @Override
    public void close() throws Exception {
      client.close();
      server.close();
    }
  }
}
