/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.publish;

import io.sparknd.table.internal.PublicationErrors;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Objects;
import java.util.Optional;

/**
 * A Redis server, version 4 or later, without Redis Cluster. The row with key 42 is the hash {@code
 * NAME:42}, with one field for each variable that is not NULL, and the field {@code
 * _sparknd_version}. Columns of a key of several are joined by {@code :}; {@code :} and {@code %}
 * in them are {@code %3A} and {@code %25}. Bytes in a key are themselves, in one of several columns
 * hexadecimal. Of a tensor table, the index columns are the key, and each value column is a
 * variable. The hash {@code NAME} holds the position.
 *
 * <p>The client is Jedis ({@code redis.clients:jedis}), which must be on the class path of driver
 * and executors.
 *
 * @param uri {@code redis://user:password@host:port/database}, or {@code rediss} for TLS; the
 *     database is a number. There are no parameters. With TLS, the server's certificate must name
 *     the host
 */
public record RedisSink(URI uri, Optional<String> name, ValueFormat values) implements PublishSink {
  private static final int PORT = 6379;
  private static final String DATABASE = "(/[0-9]{0,9})?";

  /** Checks the address. */
  public RedisSink {
    String scheme = String.valueOf(uri.getScheme());
    boolean isServer = (scheme.equals("redis") || scheme.equals("rediss")) && uri.getHost() != null;
    // Jedis ignores parameters: with ?db=2 rows would go into database 0
    boolean hasMore = uri.getRawQuery() != null || uri.getRawFragment() != null;
    if (!isServer || hasMore || !String.valueOf(uri.getRawPath()).matches(DATABASE)) {
      throw PublicationErrors.badRedisAddress(ShownAddress.of(uri.toString()));
    }
    Objects.requireNonNull(name);
    Objects.requireNonNull(values);
  }

  /**
   * Returns the sink of a server.
   *
   * @throws io.sparknd.tensor.SparkNdException if {@code uri} is not the address of a Redis server
   */
  public static RedisSink at(String uri) {
    try {
      return new RedisSink(new URI(uri), Optional.empty(), ValueFormat.BYTES);
    } catch (URISyntaxException e) {
      throw PublicationErrors.badRedisAddress(ShownAddress.of(uri));
    }
  }

  /** Returns a sink whose keys have this prefix. */
  public RedisSink withName(String prefix) {
    return new RedisSink(uri, Optional.of(prefix), values);
  }

  /** Returns a sink with values in this form. */
  public RedisSink withValues(ValueFormat encoding) {
    return new RedisSink(uri, name, encoding);
  }

  /** Returns the address with a port. */
  public URI server() {
    if (uri.getPort() >= 0) {
      return uri;
    }
    String credentials = uri.getRawUserInfo() == null ? "" : uri.getRawUserInfo() + "@";
    String path = uri.getRawPath() == null ? "" : uri.getRawPath();
    return URI.create(uri.getScheme() + "://" + credentials + uri.getHost() + ":" + PORT + path);
  }

  @Override
  public String address() {
    return ShownAddress.of(uri.toString());
  }

  /** Returns the address without credentials. */
  @Override
  public String toString() {
    return address();
  }
}
