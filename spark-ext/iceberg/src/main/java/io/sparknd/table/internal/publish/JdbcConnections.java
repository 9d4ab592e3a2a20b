/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.publish;

import io.sparknd.table.internal.PublicationErrors;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Opens connections to databases. DriverManager knows only drivers of the class loader that started
 * the JVM, and not those of {@code --jars}; so drivers are found as Spark finds them, by the
 * thread's class loader.
 */
final class JdbcConnections {
  private static final String DRIVER = "driver";

  private JdbcConnections() {}

  static Connection open(StoreAddress address) throws SQLException {
    Properties properties = new Properties();
    defaults(SqlDialect.of(address.url()))
        .forEach(
            (name, value) -> {
              if (!address.url().contains(name + "=")) {
                properties.setProperty(name, value);
              }
            });
    properties.putAll(address.properties());
    properties.remove(DRIVER);
    for (Driver driver : drivers(address)) {
      requireKnown(address, driver, properties);
      Connection connection =
          driver.acceptsURL(address.url()) ? driver.connect(address.url(), properties) : null;
      if (connection != null) {
        connection.setAutoCommit(false);
        return connection;
      }
    }
    throw PublicationErrors.noDriver(address.shown());
  }

  /** Returns the properties that a connection has unless others are given. */
  private static Map<String, String> defaults(SqlDialect dialect) {
    return switch (dialect) {
      // many rows are sent in one statement; a server that is gone does not keep a task for ever
      case POSTGRES -> Map.of("reWriteBatchedInserts", "true", "tcpKeepAlive", "true");
      // writers wait for each other, for long enough if they are many: SQLite does not queue them
      case SQLITE -> Map.of("busy_timeout", "300000");
      case STANDARD -> Map.of();
    };
  }

  /** Checks parameters of SQLite: its driver takes others for a part of the file's name. */
  private static void requireKnown(StoreAddress address, Driver driver, Properties properties)
      throws SQLException {
    List<String> given = address.parametersOfFile();
    if (!given.isEmpty() && driver.acceptsURL(address.url())) {
      Set<String> known =
          Arrays.stream(driver.getPropertyInfo(address.url(), properties))
              .map(property -> property.name)
              .collect(Collectors.toSet());
      for (String name : given) {
        if (!known.contains(name.toLowerCase(Locale.ROOT))) {
          throw PublicationErrors.sqliteParameter(name, address.shown());
        }
      }
    }
  }

  private static List<Driver> drivers(StoreAddress address) {
    ClassLoader loader = Thread.currentThread().getContextClassLoader();
    String named = address.properties().get(DRIVER);
    if (named == null) {
      List<Driver> found = new ArrayList<>();
      ServiceLoader.load(Driver.class, loader).forEach(found::add);
      return found;
    }
    try {
      Class<? extends Driver> type = Class.forName(named, false, loader).asSubclass(Driver.class);
      return List.of(type.getDeclaredConstructor().newInstance());
    } catch (ReflectiveOperationException | ClassCastException | LinkageError e) {
      throw PublicationErrors.unusableDriver(named, e);
    }
  }
}
