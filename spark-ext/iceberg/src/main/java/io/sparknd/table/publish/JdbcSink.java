/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.publish;

import io.sparknd.table.internal.PublicationErrors;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A database with a JDBC driver. Rows are those of a table that the first publication creates, with
 * the columns of the key as primary key, a column for each variable, and {@code _sparknd_version}.
 * Numbers, booleans, strings, decimals, dates, timestamps and binary values have types of the
 * database; all others are encoded. Of a tensor table, the index columns are the key, and each
 * value column is a variable. The table {@code sparknd_publications} beside it holds the position.
 *
 * <p>PostgreSQL and SQLite are given {@code INSERT ... ON CONFLICT}; other databases {@code DELETE}
 * and {@code INSERT} in one transaction. The driver must be on the class path of driver and
 * executors.
 *
 * @param url such as {@code jdbc:postgresql://host/database}
 * @param properties of the connection, such as {@code user} and {@code password}; {@code driver}
 *     names the driver's class, if it does not register itself
 */
public record JdbcSink(
    String url, Map<String, String> properties, Optional<String> name, ValueFormat values)
    implements PublishSink {
  /** Checks the address. */
  public JdbcSink {
    if (!url.startsWith("jdbc:")) {
      throw PublicationErrors.badJdbcAddress(ShownAddress.of(url));
    }
    properties = Map.copyOf(properties);
    Objects.requireNonNull(name);
    Objects.requireNonNull(values);
  }

  /**
   * Returns the sink of a database.
   *
   * @throws io.sparknd.tensor.SparkNdException if {@code url} does not begin with {@code jdbc:}
   */
  public static JdbcSink at(String url) {
    return new JdbcSink(url, Map.of(), Optional.empty(), ValueFormat.BYTES);
  }

  /**
   * Returns a sink whose rows are in this table, with a schema or without: {@code online.users}.
   */
  public JdbcSink withName(String table) {
    return new JdbcSink(url, properties, Optional.of(table), values);
  }

  /** Returns a sink whose connections have one more property. */
  public JdbcSink withProperty(String property, String value) {
    Map<String, String> all = new TreeMap<>(properties);
    all.put(property, value);
    return new JdbcSink(url, all, name, values);
  }

  /** Returns a sink with values in this form. */
  public JdbcSink withValues(ValueFormat encoding) {
    return new JdbcSink(url, properties, name, encoding);
  }

  @Override
  public String address() {
    return ShownAddress.of(url);
  }

  /** Returns the address without credentials. */
  @Override
  public String toString() {
    return address();
  }
}
